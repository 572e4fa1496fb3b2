import { createRandom } from '#server/demo/seeded-random.ts'
import type { Point, Spot } from '../camera.ts'
import { mix, shade } from '../color.ts'
import { type Drawing, polygon, round, toPath } from '../drawing.ts'
import { meanOf } from '../solids.ts'
import { paintView } from '../views/paint-view.ts'
import { BEHIND, type RoomPlan, type RoomStage, type WindowPlan, wallPoint } from './room.ts'

/** The outline of an opening as points on its wall, at a depth. */
function openingPoints(room: RoomPlan, { wall, u, v, shape = 'square' }: WindowPlan, out: number): Point[] {
  const [u0, u1] = u
  const [v0, v1] = v
  if (shape === 'square')
    return [
      [u0, v0],
      [u1, v0],
      [u1, v1],
      [u0, v1],
    ].map(([a = 0, b = 0]) => wallPoint(room, wall, a, b, out))
  const middle = (u0 + u1) / 2
  const half = (u1 - u0) / 2
  const center = shape === 'round' ? (v0 + v1) / 2 : v1 - half
  const turn = shape === 'round' ? 2 : 1
  const steps = 30 * turn
  const curve = Array.from({ length: steps + 1 }, (_, index) => {
    const angle = (index / steps) * Math.PI * turn
    return wallPoint(room, wall, middle + Math.cos(angle) * half, center + Math.sin(angle) * half, out)
  })
  return shape === 'round'
    ? curve.slice(0, -1)
    : [wallPoint(room, wall, u0, v0, out), wallPoint(room, wall, u1, v0, out), ...curve]
}

const REVEAL = -0.16

export function drawWindow(stage: RoomStage, plan: WindowPlan): void {
  const { drawing, camera, room, light, hour } = stage
  const inner = openingPoints(room, plan, 0)
  const outer = openingPoints(room, plan, REVEAL)
  const wallColor = mix(room.walls[plan.wall].color, room.palette.ceiling, 0.45)
  for (const [index, a] of inner.entries()) {
    const next = (index + 1) % inner.length
    const quad = [a, inner[next], outer[next], outer[index]].filter((point) => point !== undefined)
    // The sill catches the light, the head of the opening does not.
    const slope = ((inner[next]?.[1] ?? 0) + a[1]) / 2 <= plan.v[0] + 0.01 ? 1.1 : 0.94
    drawing.add(
      polygon(
        camera.outline(quad),
        `fill="${shade(wallColor, light.ambient + light.strength * slope)}" stroke="${shade(wallColor, light.ambient + light.strength * slope)}" stroke-width="0.8"`,
      ),
    )
  }
  const glass = camera.outline(outer)
  const middle = meanOf(outer)
  const [x] = camera.project(middle)
  const widths = glass.map((spot) => spot[0])
  const size = Math.max(240, (Math.max(...widths) - Math.min(...widths)) * 0.62, camera.scaleAt(middle) * 1.25)
  drawing.clipped(toPath(glass), () => {
    paintView(
      drawing,
      room.sights,
      { x, horizon: camera.horizon - 0.02 * size, size },
      hour,
      createRandom(`${stage.seed} ${plan.u[0]}`),
    )
    drawSheen(drawing, glass)
  })
  drawFrame(stage, plan, outer)
}

function drawSheen(drawing: Drawing, glass: readonly Spot[]): void {
  const xs = glass.map(([x]) => x)
  const ys = glass.map(([, y]) => y)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const width = right - left
  for (const [at, share] of [
    [0.08, 0.2],
    [0.34, 0.07],
    [0.72, 0.13],
  ] as const) {
    const x = left + width * at
    const lean = (bottom - top) * 0.35
    drawing.add(
      polygon(
        [
          [x + lean, top],
          [x + lean + width * share, top],
          [x + width * share, bottom],
          [x, bottom],
        ],
        'fill="#ffffff" opacity="0.085"',
      ),
    )
  }
}

function drawFrame({ drawing, camera, room, light }: RoomStage, plan: WindowPlan, outer: readonly Point[]): void {
  const [columns, rows] = plan.panes
  const color = shade(plan.frame, light.ambient + light.strength * 0.25)
  const thickness = camera.scaleAt(meanOf(outer))
  const outline = toPath(camera.outline(outer))
  drawing.clipped(outline, () => {
    drawing.add(`<path d="${outline}" fill="none" stroke="${color}" stroke-width="${round(thickness * 0.1)}"/>`)
    const bar = (from: Point, to: Point, width: number) => {
      const [x1, y1] = camera.project(from)
      const [x2, y2] = camera.project(to)
      drawing.add(
        `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" stroke="${color}" stroke-width="${round(thickness * width)}"/>`,
      )
    }
    for (let column = 1; column < columns; column += 1) {
      const u = plan.u[0] + ((plan.u[1] - plan.u[0]) * column) / columns
      bar(wallPoint(room, plan.wall, u, plan.v[0], REVEAL), wallPoint(room, plan.wall, u, plan.v[1], REVEAL), 0.045)
    }
    for (let row = 1; row < rows; row += 1) {
      const v = plan.v[0] + ((plan.v[1] - plan.v[0]) * row) / rows
      bar(wallPoint(room, plan.wall, plan.u[0], v, REVEAL), wallPoint(room, plan.wall, plan.u[1], v, REVEAL), 0.035)
    }
  })
}

/** Sunlight through the panes, thrown onto the floor. */
export function drawSunPatches({ drawing, camera, room, light, hour }: RoomStage): void {
  const strength = { morning: 0.5, noon: 0.34, golden: 0.62, dusk: 0 }[hour]
  if (strength === 0) return
  const floor = camera.outline([
    [0, 0, BEHIND],
    [room.width, 0, BEHIND],
    [room.width, 0, room.depth],
    [0, 0, room.depth],
  ])
  const fall = (point: Point): Point => [
    point[0] - (light.toward[0] / light.toward[1]) * point[1],
    0,
    point[2] - (light.toward[2] / light.toward[1]) * point[1],
  ]
  drawing.clipped(toPath(floor), () =>
    drawing.group(`opacity="${strength}" style="mix-blend-mode:soft-light"`, () => {
      for (const plan of room.windows) {
        const [columns, rows] = plan.panes
        for (let column = 0; column < columns; column += 1) {
          for (let row = 0; row < rows; row += 1) {
            const u = (share: number) => plan.u[0] + ((plan.u[1] - plan.u[0]) * (column + share)) / columns
            const v = (share: number) => plan.v[0] + ((plan.v[1] - plan.v[0]) * (row + share)) / rows
            const pane = [
              [0.04, 0.04],
              [0.96, 0.04],
              [0.96, 0.96],
              [0.04, 0.96],
            ].map(([a = 0, b = 0]) => fall(wallPoint(room, plan.wall, u(a), v(b), REVEAL)))
            drawing.add(polygon(camera.outline(pane), 'fill="#fff0c9"'))
          }
        }
      }
    }),
  )
}
