import type { Spot } from '../camera.ts'
import { ellipse, polygon } from '../drawing.ts'
import { type Painter, place, toned } from './view.ts'

export function paintTableMountain(painter: Painter, shift: number, size: number): void {
  const { drawing } = painter
  const outline: Spot[] = [
    [-1.5, 0.3],
    [-1.25, 0.12],
    [-1.1, -0.02],
    [-1.0, -0.1],
    [-0.92, -0.25],
    [-0.86, -0.31],
    [-0.8, -0.29],
    [-0.72, -0.2],
    [-0.64, -0.17],
    [-0.57, -0.25],
    [-0.53, -0.36],
    [-0.5, -0.375],
    [-0.3, -0.385],
    [-0.05, -0.37],
    [0.2, -0.38],
    [0.38, -0.372],
    [0.42, -0.35],
    [0.46, -0.23],
    [0.55, -0.12],
    [0.64, -0.08],
    [0.72, -0.13],
    [0.8, -0.25],
    [0.84, -0.285],
    [0.88, -0.26],
    [0.95, -0.12],
    [1.05, -0.05],
    [1.25, 0.02],
    [1.5, 0.3],
  ]
  const spots = outline.map(([x, y]) => place(painter, x * size + shift, y * size))
  const face = drawing.linear(place(painter, 0, -0.4 * size), place(painter, 0, 0.22), [
    [0, toned(painter, '#7c7f8e', 0.22)],
    [0.55, toned(painter, '#7f8a80', 0.34)],
    [1, toned(painter, '#8a9a78', 0.5)],
  ])
  drawing.add(polygon(spots, `fill="${face}"`))
  // Ravines of the cliff, lit from one side.
  const cliff = [-0.5, -0.43, -0.36, -0.27, -0.19, -0.12, -0.03, 0.06, 0.13, 0.21, 0.3, 0.37]
  for (const [index, x] of cliff.entries()) {
    const drop = 0.1 + (index % 3) * 0.035
    const ravine = [
      [x, -0.37],
      [x + 0.02, -0.3],
      [x + 0.045, -0.37 + drop + 0.1],
      [x - 0.012, -0.37 + drop],
    ].map(([a = 0, b = 0]) => place(painter, a * size + shift, b * size))
    drawing.add(polygon(ravine, `fill="${toned(painter, '#565d70', 0.2)}" opacity="0.35"`))
  }
  const slope = [
    [-0.62, -0.12],
    [-0.3, -0.2],
    [0, -0.17],
    [0.25, -0.2],
    [0.6, -0.05],
    [1.1, 0.2],
    [-1.1, 0.2],
  ].map(([a = 0, b = 0]) => place(painter, a * size + shift, b * size))
  drawing.add(polygon(slope, `fill="${toned(painter, '#7f9573', 0.42)}" opacity="0.7"`))
  // The tablecloth.
  const cloth = [-0.42, -0.28, -0.13, 0.02, 0.16, 0.3].map((x, index) =>
    ellipse(
      place(painter, x * size + shift, (-0.388 - (index % 2) * 0.012) * size),
      painter.frame.size * 0.11 * size,
      painter.frame.size * 0.02 * size,
      '',
    ),
  )
  drawing.add(`<g fill="${painter.sky.cloud}" opacity="0.75">${cloth.join('')}</g>`)
}

export function paintMountains(painter: Painter, tone: string, height: number, far: number): void {
  const { drawing, random } = painter
  for (const layer of [0, 1]) {
    const spots: Spot[] = [place(painter, -1.6, 0.1)]
    for (let x = -1.6; x <= 1.6; x += 0.16) {
      const rise = Math.abs(Math.sin(x * (2.1 + layer) + layer * 2)) * 0.6 + random.next() * 0.4
      spots.push(place(painter, x, -height * rise * (1 - layer * 0.35)))
    }
    spots.push(place(painter, 1.6, 0.1))
    drawing.add(polygon(spots, `fill="${toned(painter, tone, far + 0.3 - layer * 0.2)}" stroke-linejoin="round"`))
  }
}
