import { createRandom, type Random } from '#server/demo/seeded-random.ts'
import type { Point } from '../camera.ts'
import { mix, shade } from '../color.ts'
import { polygon, round, toPath } from '../drawing.ts'
import { type RoomStage, type WallSide, wallPoint } from '../room/room.ts'
import { drawScreen } from './table-things.ts'

/** What hangs on a wall. `u` along it and `v` up name the middle, in metres. */
export type Hanging = { wall: WallSide; u: number; v: number }

/** The same for a place on a wall, from wherever it is seen. */
export function randomOf({ seed }: RoomStage, { wall, u, v }: Hanging): Random {
  return createRandom(`${seed} ${wall} ${u} ${v}`)
}

function quadOf({ room }: RoomStage, { wall, u, v }: Hanging, width: number, height: number, out: number): Point[] {
  // Seen from inside the room, the left wall runs the other way: its far end is on the right.
  const [a, b] = wall === 'right' ? [u + width / 2, u - width / 2] : [u - width / 2, u + width / 2]
  return [
    wallPoint(room, wall, a, v - height / 2, out),
    wallPoint(room, wall, b, v - height / 2, out),
    wallPoint(room, wall, b, v + height / 2, out),
    wallPoint(room, wall, a, v + height / 2, out),
  ]
}

function drawBoard(
  stage: RoomStage,
  at: Hanging,
  width: number,
  height: number,
  thickness: number,
  color: string,
): Point[] {
  const { drawing, camera } = stage
  // Three steps of shade look like one soft edge, for a tenth of a blur's time.
  for (const reach of [0.025, 0.045, 0.065]) {
    const shadow = quadOf(stage, { ...at, v: at.v - reach }, width + reach * 0.6, height, 0)
    drawing.add(polygon(camera.outline(shadow), 'fill="#160f18" opacity="0.11"'))
  }
  const back = quadOf(stage, at, width, height, 0)
  const front = quadOf(stage, at, width, height, thickness)
  for (const [index, point] of back.entries()) {
    const next = (index + 1) % 4
    const side = [point, back[next], front[next], front[index]].filter((corner) => corner !== undefined)
    drawing.add(polygon(camera.outline(side), `fill="${shade(color, index === 2 ? 1.05 : 0.75)}"`))
  }
  drawing.add(
    polygon(camera.outline(front), `fill="${shade(color, 0.98)}" stroke="${shade(color, 0.8)}" stroke-width="0.8"`),
  )
  return front
}

export function drawTelevision(stage: RoomStage, at: Hanging, width: number, color: string): void {
  const front = drawBoard(stage, at, width, width * 0.58, 0.05, '#1d1f24')
  drawScreen(stage, front, color, 0.025)
}

export function drawWhiteboard(stage: RoomStage, at: Hanging, width: number, height: number, ink: string): void {
  const { drawing, camera } = stage
  const random = randomOf(stage, at)
  const front = drawBoard(stage, at, width, height, 0.03, '#eceff0')
  const [a, b, c, d] = front
  if (!a || !b || !c || !d) return
  const on = (u: number, v: number) => {
    const low = [a[0] + (b[0] - a[0]) * u, a[1], a[2] + (b[2] - a[2]) * u]
    return camera.project([low[0] ?? 0, (low[1] ?? 0) + height * v, low[2] ?? 0])
  }
  const stroke = (points: readonly (readonly [number, number])[], color: string) => {
    const spots = points.map(([u, v]) => on(u, v))
    drawing.add(
      `<path d="M${spots.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}" fill="none" stroke="${color}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" opacity="0.75"/>`,
    )
  }
  for (let box = 0; box < 3; box += 1) {
    const u = 0.12 + box * 0.2
    stroke(
      [
        [u, 0.62],
        [u + 0.12, 0.62],
        [u + 0.12, 0.8],
        [u, 0.8],
        [u, 0.62],
      ],
      '#3c4a63',
    )
    if (box < 2)
      stroke(
        [
          [u + 0.13, 0.71],
          [u + 0.19, 0.71],
          [u + 0.175, 0.735],
        ],
        ink,
      )
  }
  for (let line = 0; line < 4; line += 1) {
    const v = 0.46 - line * 0.09
    const end = random.between(0.35, 0.55)
    const points = Array.from(
      { length: 14 },
      (_, index) => [0.12 + (index / 13) * (end - 0.12), v + (index % 2) * 0.018] as const,
    )
    stroke(points, '#3c4a63')
  }
  stroke(
    [
      [0.66, 0.25],
      [0.66, 0.6],
    ],
    '#3c4a63',
  )
  stroke(
    [
      [0.66, 0.25],
      [0.92, 0.25],
    ],
    '#3c4a63',
  )
  stroke(
    [
      [0.68, 0.3],
      [0.75, 0.36],
      [0.81, 0.34],
      [0.9, 0.55],
    ],
    ink,
  )
}

/** A framed picture: shapes in the palette, as a young painter here would lay them out. */
export function drawPicture(
  stage: RoomStage,
  at: Hanging,
  width: number,
  height: number,
  colors: readonly string[],
  frame: string,
): void {
  const { drawing, camera } = stage
  const random = randomOf(stage, at)
  const front = drawBoard(stage, at, width, height, 0.035, frame)
  const inset = quadOf(stage, at, width * 0.9, height * 0.92, 0.036)
  const paper = random.pick(['#f4ecdf', '#efe6d8', '#f7f1e8'])
  drawing.add(polygon(camera.outline(inset), `fill="${paper}"`))
  const [a, b] = inset
  if (!a || !b || front.length < 4) return
  const on = (u: number, v: number): Point => [
    a[0] + (b[0] - a[0]) * u,
    a[1] + height * 0.92 * v,
    a[2] + (b[2] - a[2]) * u,
  ]
  const disc = (u: number, v: number, r: number, share = 1): Point[] =>
    Array.from({ length: 37 }, (_, index) => {
      const angle = (index / 36) * Math.PI * 2 * share
      return on(u + (Math.cos(angle) * r * height) / width, v + Math.sin(angle) * r)
    })
  const fill = (points: readonly Point[], color: string) =>
    drawing.add(polygon(camera.outline(points), `fill="${color}"`))
  drawing.clipped(toPath(camera.outline(inset)), () => {
    const [first = '#c65d45', second = '#2f4858', third = '#e3b04b'] = colors
    const kind = random.integer(0, 3)
    if (kind === 0) {
      fill(disc(0.5, 0.62, 0.22), third)
      fill([on(0, 0), on(1, 0), on(1, 0.3), on(0.6, 0.44), on(0.3, 0.3), on(0, 0.42)], first)
      fill([on(0, 0), on(1, 0), on(1, 0.2), on(0.5, 0.26), on(0, 0.14)], second)
    } else if (kind === 1) {
      for (const [row, color] of [first, third, second, mix(first, '#ffffff', 0.4)].entries())
        fill(
          [
            on(0.14, 0.12 + row * 0.2),
            on(0.86, 0.12 + row * 0.2),
            on(0.86, 0.27 + row * 0.2),
            on(0.14, 0.27 + row * 0.2),
          ],
          color,
        )
    } else if (kind === 2) {
      fill(disc(0.36, 0.36, 0.24), second)
      fill(disc(0.62, 0.6, 0.2, 0.5), first)
      fill([on(0.55, 0.14), on(0.86, 0.14), on(0.86, 0.4), on(0.55, 0.4)], third)
    } else {
      for (let petal = 0; petal < 6; petal += 1) {
        const angle = (petal / 6) * Math.PI * 2
        fill(
          disc(0.5 + Math.cos(angle) * 0.2, 0.58 + Math.sin(angle) * 0.17, 0.12),
          petal % 2 === 0 ? first : mix(first, third, 0.5),
        )
      }
      fill(disc(0.5, 0.58, 0.1), third)
      fill([on(0.485, 0.05), on(0.515, 0.05), on(0.515, 0.42), on(0.485, 0.42)], second)
    }
  })
}

/** A band of light along a wall or under a shelf. */
export function drawLightStrip(
  stage: RoomStage,
  wall: WallSide,
  u: readonly [number, number],
  v: number,
  color: string,
): void {
  const { drawing, camera, room } = stage
  const strip = (low: number, high: number) =>
    camera.outline([
      wallPoint(room, wall, u[0], low, 0.02),
      wallPoint(room, wall, u[1], low, 0.02),
      wallPoint(room, wall, u[1], high, 0.02),
      wallPoint(room, wall, u[0], high, 0.02),
    ])
  for (let step = 1; step <= 12; step += 1) {
    const reach = 0.045 * step
    drawing.add(polygon(strip(v - reach, v + reach * 0.7), `fill="${color}" opacity="0.042"`))
  }
  drawing.add(polygon(strip(v - 0.015, v + 0.015), `fill="${mix(color, '#ffffff', 0.7)}"`))
}

export function pickSpines(random: Random, palette: readonly string[]): string[] {
  return [...palette, '#e9dfcf', '#c9b79c', '#41505e', '#9a4a3b']
    .map((color) => ({ color, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ color }) => color)
}
