import { shade } from '../color.ts'
import { block, type Part, prism, rod, turned } from '../solids.ts'

/** Things to sit on. Each is made around its own middle, its front towards −z, standing on y = 0. */

const wheels = '#2b2d31'

export function taskChair(color: string, frame: string): Part[] {
  const feet = Array.from({ length: 5 }, (_, index) => {
    const angle = (index / 5) * Math.PI * 2 + 0.3
    return [Math.cos(angle) * 0.3, Math.sin(angle) * 0.3] as const
  })
  return [
    ...feet.flatMap(([x, z]) => [
      rod([0, 0.11, 0], [x, 0.06, z], 0.035, frame),
      turned(
        [x, z],
        [
          [0, 0.022],
          [0.05, 0.022],
        ],
        wheels,
      ),
    ]),
    turned(
      [0, 0],
      [
        [0.1, 0.028],
        [0.4, 0.024],
      ],
      frame,
      { layer: 1 },
    ),
    block([-0.25, 0.25], [0.42, 0.53], [-0.25, 0.22], color, { softness: 0.035, layer: 2 }),
    rod([-0.3, 0.48, 0.02], [-0.3, 0.68, 0.02], 0.03, frame, 2),
    rod([0.3, 0.48, 0.02], [0.3, 0.68, 0.02], 0.03, frame, 2),
    block([-0.335, -0.265], [0.67, 0.71], [-0.16, 0.14], frame, { softness: 0.015, layer: 2 }),
    block([0.265, 0.335], [0.67, 0.71], [-0.16, 0.14], frame, { softness: 0.015, layer: 2 }),
    rod([0, 0.48, 0.2], [0, 0.75, 0.28], 0.05, frame, 2),
    prism(
      [
        [0.2, 0.6],
        [0.26, 0.6],
        [0.33, 1.1],
        [0.28, 1.12],
      ],
      [-0.215, 0.215],
      color,
      { softness: 0.03, layer: 2 },
    ),
  ]
}

/** A shell on four splayed legs. */
export function shellChair(color: string, legs: string): Part[] {
  const leg = (x: number, z: number) => rod([x * 0.75, 0.43, z * 0.75], [x, 0, z], 0.028, legs)
  return [
    leg(-0.23, -0.22),
    leg(0.23, -0.22),
    leg(-0.23, 0.22),
    leg(0.23, 0.22),
    block([-0.235, 0.235], [0.42, 0.48], [-0.24, 0.22], color, { softness: 0.024, layer: 1 }),
    prism(
      [
        [0.17, 0.5],
        [0.22, 0.47],
        [0.31, 0.86],
        [0.27, 0.87],
      ],
      [-0.22, 0.22],
      color,
      { softness: 0.024, layer: 1 },
    ),
  ]
}

/** For long meetings: padded, on a column. */
export function boardChair(color: string, frame: string): Part[] {
  return [
    turned(
      [0, 0],
      [
        [0, 0.27],
        [0.025, 0.26],
      ],
      frame,
    ),
    turned(
      [0, 0],
      [
        [0.02, 0.03],
        [0.42, 0.03],
      ],
      frame,
      { layer: 1 },
    ),
    block([-0.26, 0.26], [0.42, 0.52], [-0.26, 0.22], color, { softness: 0.035, layer: 2 }),
    block([-0.31, -0.26], [0.5, 0.67], [-0.2, 0.2], shade(color, 0.92), { softness: 0.02, layer: 2 }),
    block([0.26, 0.31], [0.5, 0.67], [-0.2, 0.2], shade(color, 0.92), { softness: 0.02, layer: 2 }),
    prism(
      [
        [0.18, 0.52],
        [0.25, 0.5],
        [0.34, 1.0],
        [0.28, 1.02],
      ],
      [-0.25, 0.25],
      color,
      { softness: 0.035, layer: 2 },
    ),
  ]
}

export function stool(color: string, frame: string): Part[] {
  return [
    turned(
      [0, 0],
      [
        [0, 0.2],
        [0.02, 0.19],
      ],
      frame,
    ),
    turned(
      [0, 0],
      [
        [0.02, 0.025],
        [0.68, 0.022],
      ],
      frame,
      { layer: 1 },
    ),
    turned(
      [0, 0],
      [
        [0.28, 0.13],
        [0.295, 0.13],
      ],
      frame,
      { layer: 1 },
    ),
    turned(
      [0, 0],
      [
        [0.66, 0.17],
        [0.69, 0.19],
        [0.74, 0.185],
      ],
      color,
      { layer: 2 },
    ),
  ]
}

export function armchair(color: string, legs: string): Part[] {
  const dark = shade(color, 0.93)
  const foot = (x: number, z: number) => rod([x, 0.18, z], [x * 1.08, 0, z * 1.08], 0.035, legs)
  return [
    foot(-0.3, -0.3),
    foot(0.3, -0.3),
    foot(-0.3, 0.3),
    foot(0.3, 0.3),
    block([-0.36, 0.36], [0.16, 0.32], [-0.36, 0.36], dark, { softness: 0.04, layer: 1 }),
    block([-0.28, 0.28], [0.3, 0.45], [-0.4, 0.26], shade(color, 1.04), { softness: 0.05, layer: 2 }),
    block([-0.41, -0.28], [0.18, 0.6], [-0.37, 0.34], color, { softness: 0.05, layer: 2 }),
    block([0.28, 0.41], [0.18, 0.6], [-0.37, 0.34], color, { softness: 0.05, layer: 2 }),
    prism(
      [
        [0.2, 0.3],
        [0.38, 0.22],
        [0.46, 0.84],
        [0.34, 0.86],
      ],
      [-0.38, 0.38],
      color,
      { softness: 0.05, layer: 2 },
    ),
  ]
}

export function sofa(width: number, color: string, legs: string, cushions: readonly string[]): Part[] {
  const half = width / 2
  const dark = shade(color, 0.92)
  const seats = width > 1.5 ? 2 : 1
  const seatWidth = (width - 0.36) / seats
  const foot = (x: number, z: number) => rod([x, 0.16, z], [x, 0, z], 0.04, legs)
  return [
    foot(-half + 0.12, -0.36),
    foot(half - 0.12, -0.36),
    foot(-half + 0.12, 0.36),
    foot(half - 0.12, 0.36),
    block([-half, half], [0.13, 0.31], [-0.42, 0.42], dark, { softness: 0.03, layer: 1 }),
    prism(
      [
        [0.18, 0.3],
        [0.42, 0.28],
        [0.46, 0.8],
        [0.3, 0.82],
      ],
      [-half + 0.05, half - 0.05],
      color,
      { softness: 0.05, layer: 2 },
    ),
    ...Array.from({ length: seats }, (_, index) => {
      const from = -half + 0.18 + index * seatWidth
      return block([from + 0.01, from + seatWidth - 0.01], [0.29, 0.45], [-0.44, 0.24], shade(color, 1.04), {
        softness: 0.05,
        layer: 3,
      })
    }),
    block([-half - 0.02, -half + 0.17], [0.15, 0.58], [-0.43, 0.42], color, { softness: 0.05, layer: 3 }),
    block([half - 0.17, half + 0.02], [0.15, 0.58], [-0.43, 0.42], color, { softness: 0.05, layer: 3 }),
    ...cushions.map((cushion, index) => {
      const at = index === 0 ? -half + 0.42 : half - 0.44 - (index - 1) * 0.3
      return prism(
        [
          [0.02, 0.47],
          [0.14, 0.45],
          [0.26, 0.82],
          [0.15, 0.84],
        ],
        [at - 0.19, at + 0.19],
        cushion,
        { softness: 0.045, layer: 4 },
      )
    }),
  ]
}
