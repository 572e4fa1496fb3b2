import { mix, shade } from '../color.ts'
import { block, type Part, rod, turned } from '../solids.ts'

export function desk(width: number, depth: number, top: string, frame: string, height = 0.74): Part[] {
  const x = width / 2 - 0.08
  const z = depth / 2 - 0.08
  return [
    rod([-x, 0, -z], [-x, height - 0.04, -z], 0.045, frame),
    rod([x, 0, -z], [x, height - 0.04, -z], 0.045, frame),
    rod([-x, 0, z], [-x, height - 0.04, z], 0.045, frame),
    rod([x, 0, z], [x, height - 0.04, z], 0.045, frame),
    rod([-x, 0.02, -z], [-x, 0.02, z], 0.045, frame),
    rod([x, 0.02, -z], [x, 0.02, z], 0.045, frame),
    block([x - 0.42, x - 0.02], [height - 0.2, height - 0.04], [-z, z], shade(top, 0.9), { layer: 1 }),
    block([-width / 2, width / 2], [height - 0.04, height], [-depth / 2, depth / 2], top, { layer: 2 }),
  ]
}

/** A long table on two trestles. */
export function longTable(width: number, depth: number, top: string, frame: string): Part[] {
  const z = depth / 2 - 0.5
  const half = width / 2 - 0.18
  const trestle = (at: number) => [
    rod([-half, 0, at], [-half * 0.5, 0.68, at], 0.06, frame),
    rod([half, 0, at], [half * 0.5, 0.68, at], 0.06, frame),
    rod([-half * 0.6, 0.62, at], [half * 0.6, 0.62, at], 0.05, frame),
  ]
  return [
    ...trestle(-z),
    ...trestle(z),
    block([-width / 2, width / 2], [0.7, 0.75], [-depth / 2, depth / 2], top, { softness: 0.012, layer: 2 }),
  ]
}

export function roundTable(radius: number, top: string, frame: string, height = 0.74): Part[] {
  return [
    turned(
      [0, 0],
      [
        [0, radius * 0.55],
        [0.02, radius * 0.52],
        [0.05, 0.07],
      ],
      frame,
    ),
    turned(
      [0, 0],
      [
        [0.04, 0.055],
        [height - 0.05, 0.05],
      ],
      frame,
      { layer: 1 },
    ),
    turned(
      [0, 0],
      [
        [height - 0.045, radius * 0.97],
        [height - 0.02, radius],
        [height, radius * 0.99],
      ],
      top,
      { layer: 2 },
    ),
  ]
}

export function lowTable(radius: number, top: string, legs: string): Part[] {
  const leg = (angle: number) =>
    rod(
      [Math.cos(angle) * radius * 0.5, 0.36, Math.sin(angle) * radius * 0.5],
      [Math.cos(angle) * radius * 0.8, 0, Math.sin(angle) * radius * 0.8],
      0.03,
      legs,
    )
  return [
    leg(0.5),
    leg(2.6),
    leg(4.7),
    turned(
      [0, 0],
      [
        [0.36, radius * 0.98],
        [0.385, radius],
        [0.4, radius * 0.98],
      ],
      top,
      { layer: 2 },
    ),
  ]
}

/** Low and wide, with doors; against a wall. */
export function sideboard(width: number, color: string, legs: string): Part[] {
  const half = width / 2
  const doors = Math.round(width / 0.5)
  return [
    rod([-half + 0.1, 0.16, -0.15], [-half + 0.08, 0, -0.17], 0.03, legs),
    rod([half - 0.1, 0.16, -0.15], [half - 0.08, 0, -0.17], 0.03, legs),
    block([-half, half], [0.15, 0.7], [-0.2, 0.2], color, { layer: 1 }),
    ...Array.from({ length: doors }, (_, index) => {
      const from = -half + (index * width) / doors
      return block(
        [from + 0.015, from + width / doors - 0.015],
        [0.18, 0.67],
        [-0.212, -0.2],
        mix(color, '#ffffff', 0.07),
        { layer: 2 },
      )
    }),
    block([-half - 0.01, half + 0.01], [0.7, 0.725], [-0.21, 0.21], shade(color, 1.05), { layer: 3 }),
  ]
}
