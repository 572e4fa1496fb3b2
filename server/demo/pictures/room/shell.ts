import type { Point, Spot } from '../camera.ts'
import { mix, shade } from '../color.ts'
import { polygon, toPath } from '../drawing.ts'
import { lightOn } from '../solids.ts'
import { drawFloor } from './floors.ts'
import { BEHIND, inwardOf, type RoomStage, type WallSide, wallEnds, wallPoint } from './room.ts'
import { finishers } from './wall-finishes.ts'
import { drawWindow } from './windows.ts'

export function drawShell(stage: RoomStage): void {
  drawFloor(stage)
  drawCeiling(stage)
  for (const wall of ['left', 'right', 'back'] as const) drawWall(stage, wall)
  drawCorners(stage)
}

function drawCeiling({ drawing, camera, room, light, hour }: RoomStage): void {
  const { width, depth, height } = room
  const near = lightOn(light, [0, -1, 0])
  const fill = drawing.linear(camera.project([width / 2, height, depth]), camera.project([width / 2, height, 0.2]), [
    [0, shade(room.palette.ceiling, near + 0.14)],
    [1, shade(room.palette.ceiling, near - 0.02)],
  ])
  const corners: Point[] = [
    [0, height, BEHIND],
    [width, height, BEHIND],
    [width, height, depth],
    [0, height, depth],
  ]
  drawing.add(polygon(camera.outline(corners), `fill="${fill}"`))
  for (const lamp of room.ceilingLights) {
    const points: Point[] = [
      [lamp.x[0], height, lamp.z[0]],
      [lamp.x[1], height, lamp.z[0]],
      [lamp.x[1], height, lamp.z[1]],
      [lamp.x[0], height, lamp.z[1]],
    ]
    const outline = camera.outline(points)
    drawing.add(
      polygon(outline, 'fill="#fff1d2" stroke="#fff1d2" stroke-width="16" stroke-linejoin="round" opacity="0.16"'),
    )
    drawing.add(
      polygon(outline, 'fill="#fff1d2" stroke="#fff1d2" stroke-width="7" stroke-linejoin="round" opacity="0.3"'),
    )
    drawing.add(polygon(outline, `fill="${hour === 'dusk' ? '#fff3d8' : '#fffaf0'}" stroke="#ffffff" stroke-width="1"`))
  }
}

function drawWall(stage: RoomStage, wall: WallSide): void {
  const { drawing, camera, room, light } = stage
  const { finish, color } = room.walls[wall]
  const [from, to] = wallEnds(room, wall)
  const at = (u: number, v: number, out = 0) => wallPoint(room, wall, u, v, out)
  const outline = camera.outline([at(from, 0), at(to, 0), at(to, room.height), at(from, room.height)])
  if (outline.length < 3) return
  const base = lightOn(light, inwardOf(wall))
  drawing.add(polygon(outline, `fill="${wallFill(stage, wall, color, base)}"`))
  drawing.clipped(toPath(outline), () => {
    finishers[finish](stage, wall, color, base)
    drawLightOnWall(stage, wall)
    const skirting = camera.outline([at(from, 0, 0.01), at(to, 0, 0.01), at(to, 0.09, 0.01), at(from, 0.09, 0.01)])
    if (finish !== 'slats' && finish !== 'brick')
      drawing.add(polygon(skirting, `fill="${shade(mix(color, room.palette.ceiling, 0.7), base + 0.02)}"`))
  })
  for (const opening of room.windows) if (opening.wall === wall) drawWindow(stage, opening)
}

/** Brighter towards the windows of the other walls, darker towards the floor. */
function wallFill({ drawing, camera, room }: RoomStage, wall: WallSide, color: string, base: number): string {
  const lit = room.windows.find((opening) => opening.wall !== wall)
  const [bright, dark] =
    wall === 'back'
      ? [lit?.wall === 'left' ? 0 : room.width, lit?.wall === 'left' ? room.width : 0]
      : [room.depth, camera.at[2] + 0.6]
  return drawing.linear(
    camera.project(wallPoint(room, wall, bright, room.height * 0.6)),
    camera.project(wallPoint(room, wall, dark, room.height * 0.3)),
    [
      [0, shade(color, base + 0.07)],
      [1, shade(color, base - 0.1)],
    ],
  )
}

function drawLightOnWall({ drawing, camera, room, hour }: RoomStage, wall: WallSide): void {
  for (const opening of room.windows) {
    if (opening.wall !== wall) continue
    const middle = wallPoint(room, wall, (opening.u[0] + opening.u[1]) / 2, (opening.v[0] + opening.v[1]) / 2)
    const reach = camera.scaleAt(middle) * (opening.u[1] - opening.u[0]) * 0.95
    const glow = drawing.radial(camera.project(middle), reach, [
      [0, hour === 'dusk' ? '#c79ab0' : '#fff4e0', 0.5],
      [0.55, '#fff1dc', hour === 'dusk' ? 0.08 : 0.24],
      [1, '#fff1dc', 0],
    ])
    drawing.add(`<rect x="-200" y="-200" width="1600" height="1200" fill="${glow}"/>`)
  }
}

/** Where walls meet each other, the floor and the ceiling, less light gets in. */
function drawCorners({ drawing, camera, room }: RoomStage): void {
  const { width, depth, height } = room
  const strip = (edge: readonly [Point, Point], inner: readonly [Point, Point], strength: number) => {
    const [from, to] = toFade(
      camera.project(edge[0]),
      camera.project(edge[1]),
      inner.map((point) => camera.project(point)),
    )
    const fill = drawing.linear(from, to, [
      [0, '#1d1420', strength],
      [1, '#1d1420', 0],
    ])
    drawing.add(polygon(camera.outline([edge[0], edge[1], inner[1], inner[0]]), `fill="${fill}"`))
  }
  const near = camera.at[2] + 0.3
  for (const x of [0, width]) {
    const inside = x === 0 ? 1 : -1
    strip(
      [
        [x, 0, depth],
        [x, height, depth],
      ],
      [
        [x + inside * 0.5, 0, depth],
        [x + inside * 0.5, height, depth],
      ],
      0.16,
    )
    strip(
      [
        [x, 0, depth],
        [x, height, depth],
      ],
      [
        [x, 0, depth - 0.6],
        [x, height, depth - 0.6],
      ],
      0.16,
    )
    strip(
      [
        [x, 0, near],
        [x, 0, depth],
      ],
      [
        [x + inside * 0.5, 0, near],
        [x + inside * 0.5, 0, depth],
      ],
      0.24,
    )
    strip(
      [
        [x, height, near],
        [x, height, depth],
      ],
      [
        [x, height - 0.35, near],
        [x, height - 0.35, depth],
      ],
      0.12,
    )
  }
  strip(
    [
      [0, 0, depth],
      [width, 0, depth],
    ],
    [
      [0, 0, depth - 0.5],
      [width, 0, depth - 0.5],
    ],
    0.26,
  )
  strip(
    [
      [0, height, depth],
      [width, height, depth],
    ],
    [
      [0, height - 0.35, depth],
      [width, height - 0.35, depth],
    ],
    0.12,
  )
}

/** At right angles to the edge as it is seen, and over before the nearer end of the strip is. */
function toFade(a: Spot, b: Spot, inner: readonly Spot[]): [from: Spot, to: Spot] {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1
  const across: Spot = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length]
  const reaches = inner.map(([x, y]) => (x - a[0]) * across[0] + (y - a[1]) * across[1])
  const reach = reaches.reduce((least, each) => (Math.abs(each) < Math.abs(least) ? each : least), Number.MAX_VALUE)
  return [a, [a[0] + across[0] * reach, a[1] + across[1] * reach]]
}
