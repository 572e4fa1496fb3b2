import { mix, shade } from '../color.ts'
import { ellipse, polygon, rect, round } from '../drawing.ts'
import { paintBuilding } from './city.ts'
import { type Painter, place, toned } from './view.ts'

export function paintSea(painter: Painter, from: number, tone: string): void {
  const { drawing, sky, random, frame } = painter
  const [, top] = place(painter, 0, from)
  const fill = drawing.linear(
    [0, top],
    [0, top + frame.size * 0.6],
    [
      [0, mix(toned(painter, tone, 0.3), sky.low, 0.35)],
      [0.35, toned(painter, tone, 0.08)],
      [1, toned(painter, shade(tone, 0.82), 0)],
    ],
  )
  drawing.add(rect(-400, top, 2000, 1400, `fill="${fill}"`))
  const glints: string[] = []
  for (let index = 0; index < 90; index += 1) {
    const depth = random.next() ** 1.6
    const [x, y] = place(painter, random.between(-1.3, 1.3), from + 0.012 + depth * 0.5)
    glints.push(`M${round(x)} ${round(y)}h${round((6 + depth * 46) * random.between(0.5, 1.3))}`)
  }
  drawing.add(
    `<path d="${glints.join('')}" stroke="#fffaf0" stroke-opacity="0.32" stroke-width="1.6" stroke-linecap="round"/>`,
  )
}

export function paintQuay(painter: Painter): void {
  const { drawing, random } = painter
  for (let index = 0; index < 11; index += 1) {
    paintBuilding(painter, {
      x: -1.2 + index * 0.24 + random.between(-0.03, 0.03),
      bottom: 0.07,
      width: random.between(0.16, 0.25),
      height: random.between(0.07, 0.15),
      tone: random.pick(['#d9a48a', '#efe4d4', '#c97b62', '#b9c4c9', '#e3c892']),
      far: 0.18,
    })
  }
  const quay = [
    place(painter, -1.5, 0.07),
    place(painter, 1.5, 0.07),
    place(painter, 1.5, 0.095),
    place(painter, -1.5, 0.095),
  ]
  drawing.add(polygon(quay, `fill="${toned(painter, '#8f8579', 0.15)}"`))
  // The clock tower, red as it is there.
  const [x, base] = place(painter, -0.22, 0.08)
  const s = painter.frame.size
  const red = toned(painter, '#b5493a', 0.08)
  drawing.add(rect(x - s * 0.03, base - s * 0.2, s * 0.06, s * 0.2, `fill="${red}"`))
  drawing.add(
    polygon(
      [
        [x - s * 0.038, base - s * 0.2],
        [x, base - s * 0.28],
        [x + s * 0.038, base - s * 0.2],
      ],
      `fill="${toned(painter, '#5d6670', 0.1)}"`,
    ),
  )
  drawing.add(ellipse([x, base - s * 0.16], s * 0.016, s * 0.016, `fill="#f7f1e3"`))
}

export function paintCranes(painter: Painter): void {
  const { drawing, frame } = painter
  const s = frame.size
  for (const [at, size] of [
    [0.55, 1],
    [0.82, 0.8],
    [-0.85, 0.7],
  ] as const) {
    const [x, base] = place(painter, at, 0.08)
    const color = toned(painter, '#3f6f8f', 0.16)
    const line = (path: string, width: number) =>
      drawing.add(
        `<path d="${path}" fill="none" stroke="${color}" stroke-width="${round(width * s * size)}" stroke-linejoin="round"/>`,
      )
    const u = s * size
    line(
      `M${round(x - 0.05 * u)} ${round(base)}L${round(x - 0.03 * u)} ${round(base - 0.3 * u)}L${round(x + 0.03 * u)} ${round(base - 0.3 * u)}L${round(x + 0.05 * u)} ${round(base)}`,
      0.011,
    )
    line(`M${round(x - 0.14 * u)} ${round(base - 0.3 * u)}L${round(x + 0.22 * u)} ${round(base - 0.3 * u)}`, 0.016)
    line(
      `M${round(x)} ${round(base - 0.3 * u)}L${round(x)} ${round(base - 0.42 * u)}L${round(x + 0.2 * u)} ${round(base - 0.31 * u)}M${round(x)} ${round(base - 0.42 * u)}L${round(x - 0.13 * u)} ${round(base - 0.31 * u)}`,
      0.005,
    )
  }
}

export function paintBoats(painter: Painter): void {
  const { drawing, random, frame } = painter
  for (let index = 0; index < 8; index += 1) {
    const depth = 0.12 + index * 0.045
    const [x, y] = place(painter, random.between(-1.1, 1.1), depth)
    const size = frame.size * (0.05 + depth * 0.22)
    const hull = random.pick(['#f4efe6', '#24405c', '#b3402f', '#e8e2d6'])
    drawing.add(ellipse([x, y + size * 0.1], size * 0.75, size * 0.06, 'fill="#1c3644" opacity="0.25"'))
    drawing.add(
      `<path d="M${round(x - size * 0.6)} ${round(y - size * 0.1)}H${round(x + size * 0.66)}L${round(x + size * 0.48)} ${round(y + size * 0.1)}H${round(x - size * 0.48)}Z" fill="${toned(painter, hull, 0.05)}"/>`,
    )
    drawing.add(
      rect(x - size * 0.3, y - size * 0.26, size * 0.42, size * 0.17, `fill="${toned(painter, '#fbf8f1', 0.05)}"`),
    )
    if (index % 2 === 0) {
      drawing.add(
        `<path d="M${round(x)} ${round(y - size * 0.1)}V${round(y - size * 1.5)}" stroke="${toned(painter, '#7a5c44', 0.1)}" stroke-width="${round(size * 0.035)}"/>`,
      )
      drawing.add(
        polygon(
          [
            [x + size * 0.04, y - size * 1.45],
            [x + size * 0.62, y - size * 0.22],
            [x + size * 0.04, y - size * 0.22],
          ],
          `fill="${toned(painter, '#fffaf0', 0.04)}" opacity="0.94"`,
        ),
      )
    }
  }
}

export function paintShips(painter: Painter): void {
  const { drawing, frame } = painter
  for (const [at, size] of [
    [-0.35, 0.09],
    [0.28, 0.06],
    [0.95, 0.075],
  ] as const) {
    const [x, y] = place(painter, at, 0.004)
    const u = frame.size * size
    const tone = toned(painter, '#6a6f7d', 0.4)
    drawing.add(
      polygon(
        [
          [x - u, y - u * 0.12],
          [x + u, y - u * 0.12],
          [x + u * 0.85, y + u * 0.06],
          [x - u * 0.85, y + u * 0.06],
        ],
        `fill="${tone}"`,
      ),
    )
    drawing.add(rect(x + u * 0.45, y - u * 0.42, u * 0.3, u * 0.32, `fill="${tone}"`))
    drawing.add(rect(x - u * 0.75, y - u * 0.24, u * 1.05, u * 0.13, `fill="${toned(painter, '#b4694f', 0.45)}"`))
  }
}

export function paintLighthouse(painter: Painter): void {
  const { drawing, frame } = painter
  const s = frame.size
  const [x, base] = place(painter, 0.4, 0.34)
  const tower = (from: number, to: number, color: string) => {
    const half = (height: number) => s * (0.042 - height * 0.035)
    drawing.add(
      polygon(
        [
          [x - half(from), base - from * s],
          [x + half(from), base - from * s],
          [x + half(to), base - to * s],
          [x - half(to), base - to * s],
        ],
        `fill="${toned(painter, color, 0.02)}"`,
      ),
    )
    drawing.add(
      polygon(
        [
          [x + half(from) * 0.3, base - from * s],
          [x + half(from), base - from * s],
          [x + half(to), base - to * s],
          [x + half(to) * 0.3, base - to * s],
        ],
        'fill="#1a2430" opacity="0.14"',
      ),
    )
  }
  tower(0, 0.36, '#fbf7ef')
  tower(0.36, 0.42, '#c8382c')
  drawing.add(rect(x - s * 0.036, base - s * 0.432, s * 0.072, s * 0.014, `fill="${toned(painter, '#a82d23', 0)}"`))
  drawing.add(rect(x - s * 0.02, base - s * 0.47, s * 0.04, s * 0.04, 'fill="#ffe9b5"'))
  drawing.add(
    polygon(
      [
        [x - s * 0.026, base - s * 0.47],
        [x, base - s * 0.51],
        [x + s * 0.026, base - s * 0.47],
      ],
      `fill="${toned(painter, '#c8382c', 0)}"`,
    ),
  )
}
