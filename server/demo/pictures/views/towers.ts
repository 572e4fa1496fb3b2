import { mix, shade } from '../color.ts'
import { ellipse, polygon, rect, round } from '../drawing.ts'
import { paintBuilding } from './city.ts'
import { type Painter, place, toned } from './view.ts'

/** The Hillbrow Tower, Ponte and the Carlton Centre. */
export function paintTowers(painter: Painter): void {
  const { drawing, frame } = painter
  const concrete = toned(painter, '#a7a5a6', 0.25)
  const [x, base] = place(painter, 0.22, 0.1)
  const s = frame.size
  drawing.add(
    polygon(
      [
        [x - s * 0.014, base],
        [x + s * 0.014, base],
        [x + s * 0.008, base - s * 0.5],
        [x - s * 0.008, base - s * 0.5],
      ],
      `fill="${concrete}"`,
    ),
  )
  for (const [level, half, height] of [
    [0.5, 0.03, 0.03],
    [0.54, 0.036, 0.035],
    [0.585, 0.024, 0.03],
  ] as const) {
    drawing.add(
      rect(
        x - half * s,
        base - level * s - height * s,
        half * 2 * s,
        height * s,
        `rx="${round(s * 0.008)}" fill="${shade(concrete, 0.92)}"`,
      ),
    )
    drawing.add(
      rect(
        x - half * s,
        base - level * s - height * s * 0.6,
        half * 2 * s,
        height * s * 0.25,
        `fill="${shade(concrete, 0.6)}"`,
      ),
    )
  }
  drawing.add(rect(x - s * 0.003, base - s * 0.72, s * 0.006, s * 0.12, `fill="${concrete}"`))
  paintBuilding(painter, { x: -0.42, bottom: 0.12, width: 0.14, height: 0.44, tone: '#8c8d94', far: 0.26, floors: 26 })
  paintBuilding(painter, { x: 0.62, bottom: 0.12, width: 0.11, height: 0.36, tone: '#b7a48f', far: 0.3, floors: 22 })
}

export function paintGlassTowers(painter: Painter): void {
  const { drawing, frame, sky, random } = painter
  const towers = [
    [-0.7, 0.17, 0.42],
    [-0.3, 0.12, 0.66],
    [0.06, 0.2, 0.38],
    [0.42, 0.14, 0.54],
    [0.8, 0.2, 0.34],
  ] as const
  for (const [x, width, height] of towers) {
    const [left, base] = place(painter, x - width / 2, 0.24)
    const w = width * frame.size
    const h = (height + 0.1) * frame.size
    const glass = drawing.linear(
      [left, base - h],
      [left + w, base],
      [
        [0, mix(toned(painter, '#6f93ad', 0.12), sky.low, 0.3)],
        [0.5, toned(painter, '#557a96', 0.1)],
        [1, toned(painter, '#86a4b6', 0.2)],
      ],
    )
    drawing.add(
      polygon(
        [
          [left, base],
          [left, base - h],
          [left + w * 0.6, base - h - w * 0.14],
          [left + w, base - h + w * 0.05],
          [left + w, base],
        ],
        `fill="${glass}"`,
      ),
    )
    drawing.add(
      polygon(
        [
          [left + w * 0.6, base],
          [left + w * 0.6, base - h - w * 0.14],
          [left + w, base - h + w * 0.05],
          [left + w, base],
        ],
        `fill="#0b1c2c" opacity="0.16"`,
      ),
    )
    const lines: string[] = []
    for (let y = base - h + 8; y < base; y += 9) lines.push(`M${round(left)} ${round(y)}h${round(w)}`)
    for (let column = 1; column < 6; column += 1)
      lines.push(`M${round(left + (w * column) / 6)} ${round(base - h)}V${round(base)}`)
    drawing.add(`<path d="${lines.join('')}" stroke="#f4fbff" stroke-opacity="0.22" stroke-width="1"/>`)
    for (let lamp = 0; lamp < sky.lit * 60; lamp += 1) {
      drawing.add(
        rect(
          left + (Math.floor(random.next() * 6) / 6) * w + 2,
          base - h + 10 + Math.floor(random.next() * (h / 9)) * 9,
          w / 6 - 4,
          5,
          'fill="#ffdc9c" opacity="0.9"',
        ),
      )
    }
  }
}

/** The two towers and the curve of columns on Meintjieskop. */
export function paintUnionBuildings(painter: Painter): void {
  const { drawing, frame } = painter
  const s = frame.size
  const [x, base] = place(painter, 0.1, -0.02)
  const stone = toned(painter, '#d9b48a', 0.3)
  drawing.add(rect(x - s * 0.4, base - s * 0.09, s * 0.8, s * 0.12, `fill="${stone}"`))
  drawing.add(rect(x - s * 0.4, base - s * 0.1, s * 0.8, s * 0.014, `fill="${toned(painter, '#a7573f', 0.3)}"`))
  for (const side of [-1, 1]) {
    const tower = x + side * s * 0.17
    drawing.add(rect(tower - s * 0.035, base - s * 0.2, s * 0.07, s * 0.2, `fill="${stone}"`))
    drawing.add(ellipse([tower, base - s * 0.2], s * 0.035, s * 0.045, `fill="${shade(stone, 0.86)}"`))
    drawing.add(rect(tower - s * 0.006, base - s * 0.27, s * 0.012, s * 0.05, `fill="${stone}"`))
  }
  const columns: string[] = []
  for (let at = -0.38; at <= 0.38; at += 0.03) columns.push(`M${round(x + at * s)} ${round(base)}v${round(-s * 0.065)}`)
  drawing.add(`<path d="${columns.join('')}" stroke="${shade(stone, 0.78)}" stroke-width="${round(s * 0.009)}"/>`)
}
