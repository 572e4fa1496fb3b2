import type { Random } from '#server/demo/seeded-random.ts'
import type { Point } from '../camera.ts'
import { mix, shade } from '../color.ts'
import { ellipse, polygon, round } from '../drawing.ts'
import { block, type Part, rod, type Stage, turned } from '../solids.ts'

/** Small things on a table; `y` is the height of its top. */

export function laptop(x: number, z: number, y: number, screen: string): Part[] {
  const lid: Point[] = [
    [x - 0.16, y + 0.02, z + 0.11],
    [x + 0.16, y + 0.02, z + 0.11],
    [x + 0.16, y + 0.225, z + 0.17],
    [x - 0.16, y + 0.225, z + 0.17],
  ]
  return [
    block([x - 0.165, x + 0.165], [y, y + 0.016], [z - 0.12, z + 0.11], '#c9ccd1', { layer: 5 }),
    {
      kind: 'free',
      at: [x, y + 0.12, z + 0.14],
      layer: 6,
      draw({ drawing, camera }, toWorld) {
        const outline = camera.outline(lid.map(toWorld))
        drawing.add(polygon(outline, 'fill="#23262c" stroke="#b9bdc4" stroke-width="1.4" stroke-linejoin="round"'))
        drawScreen({ drawing, camera }, lid.map(toWorld), screen, 0.06)
      },
    },
  ]
}

export function monitor(x: number, z: number, y: number, screen: string, width = 0.6): Part[] {
  const half = width / 2
  const [low, high] = [y + 0.13, y + 0.13 + width * 0.58]
  const face: Point[] = [
    [x - half, low, z - 0.012],
    [x + half, low, z - 0.012],
    [x + half, high, z - 0.012],
    [x - half, high, z - 0.012],
  ]
  return [
    turned(
      [x, z],
      [
        [y, 0.1],
        [y + 0.012, 0.1],
      ],
      '#3a3d43',
      { layer: 5 },
    ),
    rod([x, y + 0.01, z + 0.01], [x, y + 0.3, z + 0.01], 0.035, '#3a3d43', 5),
    block([x - half, x + half], [low, high], [z - 0.01, z + 0.02], '#24262b', { layer: 6 }),
    {
      kind: 'free',
      at: [x, high, z - 0.02],
      layer: 7,
      draw: (stage, toWorld) => drawScreen(stage, face.map(toWorld), screen, 0.035),
    },
  ]
}

/** What a screen shows, inside its frame: a bright page with a chart. Corners: lower left, lower right, upper right, upper left. */
export function drawScreen(
  { drawing, camera }: Pick<Stage, 'drawing' | 'camera'>,
  corners: readonly Point[],
  color: string,
  border: number,
): void {
  const [a, b, c, d] = corners
  if (!a || !b || !c || !d) return
  // Seen from behind there is no page.
  const at = (u: number, v: number): Point => {
    const low = lerp(a, b, u)
    const high = lerp(d, c, u)
    return lerp(low, high, v)
  }
  const quad = (u0: number, u1: number, v0: number, v1: number, attributes: string) =>
    drawing.add(polygon(camera.outline([at(u0, v0), at(u1, v0), at(u1, v1), at(u0, v1)]), attributes))
  const [left, right] = [camera.project(a)[0], camera.project(b)[0]]
  if (left >= right) return
  const fill = drawing.linear(camera.project(at(0, 1)), camera.project(at(1, 0)), [
    [0, mix(color, '#ffffff', 0.25)],
    [1, shade(color, 0.78)],
  ])
  quad(border, 1 - border, border, 1 - border, `fill="${fill}"`)
  quad(0.1, 0.42, 0.78, 0.85, 'fill="#ffffff" opacity="0.9"')
  quad(0.1, 0.3, 0.68, 0.715, 'fill="#ffffff" opacity="0.55"')
  for (const [index, height] of [0.2, 0.32, 0.26, 0.42, 0.5].entries()) {
    quad(
      0.52 + index * 0.08,
      0.57 + index * 0.08,
      0.16,
      0.16 + height,
      `fill="#ffffff" opacity="${0.55 + index * 0.08}"`,
    )
  }
  for (let line = 0; line < 4; line += 1)
    quad(0.1, 0.4 - (line % 3) * 0.05, 0.5 - line * 0.1, 0.53 - line * 0.1, 'fill="#ffffff" opacity="0.4"')
}

function lerp(a: Point, b: Point, share: number): Point {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
}

export function mug(x: number, z: number, y: number, color: string): Part[] {
  return [
    turned(
      [x, z],
      [
        [y, 0.034],
        [y + 0.085, 0.038],
      ],
      color,
      { layer: 6 },
    ),
    turned(
      [x, z],
      [
        [y + 0.0855, 0.031],
        [y + 0.086, 0.031],
      ],
      '#4a2c1a',
      { layer: 7 },
    ),
    rod([x + 0.04, y + 0.065, z], [x + 0.055, y + 0.03, z], 0.012, color, 6),
  ]
}

export function notebook(x: number, z: number, y: number, color: string): Part[] {
  return [
    block([x - 0.08, x + 0.08], [y, y + 0.014], [z - 0.11, z + 0.11], color, { layer: 5 }),
    rod([x + 0.1, y + 0.01, z - 0.08], [x + 0.12, y + 0.01, z + 0.06], 0.009, '#2c2f36', 5),
  ]
}

export function books(x: number, z: number, y: number, colors: readonly string[], random: Random): Part[] {
  return colors.map((color, index) => {
    const width = random.between(0.2, 0.26)
    return block(
      [x - width / 2, x + width / 2],
      [y + index * 0.032, y + index * 0.032 + 0.03],
      [z - 0.08, z + 0.08],
      color,
      { layer: 5 + index },
    )
  })
}

export function carafe(x: number, z: number, y: number): Part[] {
  return [
    turned(
      [x, z],
      [
        [y, 0.055],
        [y + 0.12, 0.06],
        [y + 0.17, 0.03],
        [y + 0.24, 0.034],
      ],
      '#c6dde2',
      { layer: 6 },
    ),
    turned(
      [x + 0.14, z - 0.04],
      [
        [y, 0.03],
        [y + 0.09, 0.034],
      ],
      '#d4e6ea',
      { layer: 6 },
    ),
    turned(
      [x - 0.13, z + 0.03],
      [
        [y, 0.03],
        [y + 0.09, 0.034],
      ],
      '#d4e6ea',
      { layer: 6 },
    ),
  ]
}

export function vase(x: number, z: number, y: number, color: string, bloom: string, random: Random): Part[] {
  const stems = Array.from(
    { length: 7 },
    (): Point => [x + random.between(-0.14, 0.14), y + random.between(0.36, 0.52), z + random.between(-0.1, 0.1)],
  )
  return [
    turned(
      [x, z],
      [
        [y, 0.045],
        [y + 0.08, 0.075],
        [y + 0.16, 0.05],
        [y + 0.19, 0.038],
      ],
      color,
      { layer: 6 },
    ),
    {
      kind: 'free',
      at: [x, y + 0.3, z],
      layer: 7,
      draw({ drawing, camera }, toWorld) {
        for (const stem of stems) {
          const [x1, y1] = camera.project(toWorld([x, y + 0.19, z]))
          const [x2, y2] = camera.project(toWorld(stem))
          const scale = camera.scaleAt(toWorld(stem))
          drawing.add(
            `<path d="M${round(x1)} ${round(y1)}Q${round(x1)} ${round((y1 + y2) / 2)} ${round(x2)} ${round(y2)}" fill="none" stroke="#6d7f57" stroke-width="${round(scale * 0.007)}"/>`,
          )
          for (let petal = 0; petal < 9; petal += 1) {
            const angle = (petal / 9) * Math.PI * 2
            drawing.add(
              ellipse(
                [x2 + Math.cos(angle) * scale * 0.024, y2 + Math.sin(angle) * scale * 0.02],
                scale * 0.02,
                scale * 0.017,
                `fill="${shade(bloom, 0.86 + (petal % 4) * 0.07)}"`,
              ),
            )
          }
        }
      },
    },
  ]
}

/** A broadcast microphone on an arm that is clamped to the table. */
export function microphone(x: number, z: number, y: number, towards: 1 | -1): Part[] {
  const clamp: Point = [x, y, z]
  const elbow: Point = [x + 0.05 * towards, y + 0.42, z]
  const head: Point = [x + 0.36 * towards, y + 0.36, z - 0.05]
  return [
    rod(clamp, elbow, 0.022, '#2a2b30', 6),
    rod(elbow, head, 0.02, '#2a2b30', 7),
    turned(
      [head[0], head[2]],
      [
        [head[1] - 0.2, 0.038],
        [head[1] - 0.16, 0.046],
        [head[1] - 0.05, 0.046],
        [head[1], 0.03],
      ],
      '#3a3c42',
      { layer: 8 },
    ),
    turned(
      [head[0], head[2]],
      [
        [head[1] - 0.075, 0.048],
        [head[1] - 0.06, 0.048],
      ],
      '#d6a94f',
      { layer: 9 },
    ),
  ]
}

export function headphones(x: number, z: number, y: number): Part[] {
  return [
    turned(
      [x - 0.08, z],
      [
        [y, 0.045],
        [y + 0.04, 0.045],
      ],
      '#2c2d33',
      { layer: 6 },
    ),
    turned(
      [x + 0.08, z],
      [
        [y, 0.045],
        [y + 0.04, 0.045],
      ],
      '#2c2d33',
      { layer: 6 },
    ),
    rod([x - 0.08, y + 0.03, z + 0.03], [x - 0.05, y + 0.05, z + 0.1], 0.018, '#44464d', 6),
    rod([x - 0.05, y + 0.05, z + 0.1], [x + 0.05, y + 0.05, z + 0.1], 0.018, '#44464d', 6),
    rod([x + 0.05, y + 0.05, z + 0.1], [x + 0.08, y + 0.03, z + 0.03], 0.018, '#44464d', 6),
  ]
}
