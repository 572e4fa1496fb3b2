import { mix, shade } from '../color.ts'
import { polygon, rect, round } from '../drawing.ts'
import { type Building, type City, type Painter, place, toned } from './view.ts'

export function paintCity(painter: Painter, { from, to, base, low, high, tone, count }: City): void {
  const { random } = painter
  for (let index = 0; index < count; index += 1) {
    // Back row first, the front ones lower in the picture and clearer.
    const near = index / count
    const width = random.between(0.045, 0.1)
    const height = random.between(low, high) * (1 - near * 0.25)
    paintBuilding(painter, {
      x: random.between(from, to),
      bottom: base * (0.4 + near * 1.6) + 0.05,
      width,
      height: height + base * 0.6,
      tone: mix(tone, random.pick(['#b06a4a', '#e7ddd0', '#6f7f92', '#d9a679', '#8d8f98']), random.between(0.1, 0.55)),
      far: 0.48 - near * 0.36,
    })
  }
}

export function paintBuilding(painter: Painter, { x, bottom, width, height, tone, far, floors }: Building): void {
  const { drawing, random, sky, frame } = painter
  const [left, base] = place(painter, x - width / 2, bottom)
  const w = width * frame.size
  const h = height * frame.size
  const front = toned(painter, tone, far)
  drawing.add(rect(left, base - h, w, h, `fill="${front}"`))
  drawing.add(rect(left + w * 0.72, base - h, w * 0.28, h, `fill="${shade(front, 0.86)}"`))
  const rows = floors ?? Math.max(2, Math.round(h / 11))
  const columns = Math.max(2, Math.round(w / 9))
  const dark = mix(shade(front, 0.74), '#3d4a5c', 0.15)
  const panes: string[] = []
  const lamps: string[] = []
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const at = `M${round(left + ((column + 0.22) / columns) * w)} ${round(base - h + ((row + 0.3) / rows) * h)}h${round((w / columns) * 0.56)}v${round((h / rows) * 0.5)}h${round((-w / columns) * 0.56)}z`
      if (random.chance(sky.lit)) lamps.push(at)
      else panes.push(at)
    }
  }
  drawing.add(`<path d="${panes.join('')}" fill="${dark}" opacity="0.75"/>`)
  if (lamps.length > 0) drawing.add(`<path d="${lamps.join('')}" fill="#ffd48a"/>`)
}

export function paintRoofs(painter: Painter): void {
  const { drawing, random, frame } = painter
  const s = frame.size
  for (let row = 0; row < 5; row += 1) {
    const y = 0.1 + row * 0.11
    for (let x = -1.4 + random.next() * 0.1; x < 1.4; ) {
      const width = random.between(0.14, 0.28) * (0.7 + row * 0.14)
      const height = random.between(0.08, 0.15)
      const [left, base] = place(painter, x, y + 0.1)
      const wall = toned(
        painter,
        random.pick(['#e9d9c3', '#d98f73', '#a9bfc2', '#e6c46f', '#c7d3c0', '#e8e2da', '#b96a5a']),
        0.3 - row * 0.06,
      )
      const roof = toned(painter, random.pick(['#8d4a3c', '#7b7f86', '#9c6a4f', '#66707a']), 0.3 - row * 0.06)
      drawing.add(rect(left, base - height * s, width * s, height * s + 200, `fill="${wall}"`))
      drawing.add(
        polygon(
          [
            [left - 3, base - height * s],
            [left + width * s * 0.5, base - height * s - s * 0.055],
            [left + width * s + 3, base - height * s],
          ],
          `fill="${roof}"`,
        ),
      )
      for (let column = 0; column < 3; column += 1) {
        drawing.add(
          rect(
            left + width * s * (0.14 + column * 0.28),
            base - height * s * 0.7,
            width * s * 0.14,
            height * s * 0.36,
            `fill="${random.chance(painter.sky.lit) ? '#ffd48a' : shade(wall, 0.6)}"`,
          ),
        )
      }
      x += width
    }
  }
  const [x, base] = place(painter, 0.42, 0.3)
  drawing.add(rect(x - s * 0.03, base - s * 0.52, s * 0.06, s * 0.55, `fill="${toned(painter, '#a35a45', 0.1)}"`))
  drawing.add(rect(x - s * 0.037, base - s * 0.53, s * 0.074, s * 0.025, `fill="${toned(painter, '#7d4334', 0.1)}"`))
}
