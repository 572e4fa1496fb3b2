import type { Point } from '../camera.ts'
import { shade } from '../color.ts'
import { ellipse, polygon, round } from '../drawing.ts'
import { type RoomStage, wallPoint } from '../room/room.ts'
import { lightOn } from '../solids.ts'
import { type Hanging, randomOf } from './wall-pieces.ts'

export function drawShelf(
  stage: RoomStage,
  at: Hanging,
  width: number,
  color: string,
  spines: readonly string[],
): void {
  const { drawing, camera, room, light } = stage
  const random = randomOf(stage, at)
  const deep = 0.2
  const left = at.u - width / 2
  const point = (u: number, v: number, out: number) => camera.project(wallPoint(room, at.wall, u, v, out))
  const upright = (from: number, to: number, height: number, tone: string) => {
    const v = at.v + 0.03
    const near = wallPoint(room, at.wall, from, v, deep - 0.03)
    const front = [
      near,
      wallPoint(room, at.wall, to, v, deep - 0.03),
      wallPoint(room, at.wall, to, v + height, deep - 0.03),
      wallPoint(room, at.wall, from, v + height, deep - 0.03),
    ]
    // The end of a book that looks towards us.
    const seen =
      camera.distanceTo(wallPoint(room, at.wall, from, v, 0)) < camera.distanceTo(wallPoint(room, at.wall, to, v, 0))
        ? from
        : to
    const end = [
      wallPoint(room, at.wall, seen, v, 0.02),
      wallPoint(room, at.wall, seen, v, deep - 0.03),
      wallPoint(room, at.wall, seen, v + height, deep - 0.03),
      wallPoint(room, at.wall, seen, v + height, 0.02),
    ]
    drawing.add(polygon(camera.outline(end), `fill="${shade(tone, 0.8)}"`))
    drawing.add(polygon(camera.outline(front), `fill="${shade(tone, lightOn(light, [0, 0, -1]) + 0.06)}"`))
  }
  const shadow = [
    [left, at.v],
    [left + width, at.v],
    [left + width, at.v - 0.2],
    [left, at.v - 0.2],
  ].map(([u = 0, v = 0]) => wallPoint(room, at.wall, u, v, 0))
  const fade = drawing.linear(point(at.u, at.v, 0), point(at.u, at.v - 0.2, 0), [
    [0, '#160f18', 0.3],
    [1, '#160f18', 0],
  ])
  drawing.add(polygon(camera.outline(shadow), `fill="${fade}"`))
  const top = [
    wallPoint(room, at.wall, left, at.v + 0.03, 0),
    wallPoint(room, at.wall, left + width, at.v + 0.03, 0),
    wallPoint(room, at.wall, left + width, at.v + 0.03, deep),
    wallPoint(room, at.wall, left, at.v + 0.03, deep),
  ]
  const front = [
    wallPoint(room, at.wall, left, at.v, deep),
    wallPoint(room, at.wall, left + width, at.v, deep),
    wallPoint(room, at.wall, left + width, at.v + 0.03, deep),
    wallPoint(room, at.wall, left, at.v + 0.03, deep),
  ]
  const under = top.map(([x, y, z]): Point => [x, y - 0.03, z])
  drawing.add(
    polygon(
      camera.outline(camera.at[1] > at.v ? top : under),
      `fill="${shade(color, camera.at[1] > at.v ? 1.04 : 0.66)}"`,
    ),
  )
  drawing.add(polygon(camera.outline(front), `fill="${shade(color, 0.94)}"`))
  const volumes: { from: number; to: number; height: number; tone: string }[] = []
  for (let u = left + 0.05; u < left + width * 0.62; ) {
    const thick = random.between(0.025, 0.05)
    volumes.push({ from: u, to: u + thick, height: random.between(0.19, 0.27), tone: random.pick(spines) })
    u += thick + (random.chance(0.12) ? 0.06 : 0.003)
  }
  const far = (u: number) => camera.distanceTo(wallPoint(room, at.wall, u, at.v, 0))
  volumes.sort((a, b) => far(b.from) - far(a.from))
  for (const { from, to, height, tone } of volumes) upright(from, to, height, tone)
  const [x, y] = point(left + width * 0.82, at.v + 0.03, deep / 2)
  const scale = camera.scaleAt(wallPoint(room, at.wall, left + width * 0.82, at.v, 0))
  drawing.add(
    ellipse([x, y - scale * 0.075], scale * 0.055, scale * 0.075, `fill="${shade(random.pick(spines), 1.1)}"`),
  )
  for (let leaf = 0; leaf < 9; leaf += 1) {
    const lean = (leaf - 4) * scale * 0.032
    drawing.add(
      `<path d="M${round(x)} ${round(y - scale * 0.14)}q${round(lean * 0.6)} ${round(-scale * 0.12)} ${round(lean * 1.4)} ${round(-scale * (0.12 - Math.abs(leaf - 4) * 0.028))}q${round(-lean * 0.4)} ${round(scale * 0.02)} ${round(-lean * 1.4)} ${round(scale * (0.12 - Math.abs(leaf - 4) * 0.028))}" fill="${shade('#5f8f5c', 0.9 + (leaf % 3) * 0.1)}" stroke="#4f7d4f" stroke-width="1"/>`,
    )
  }
}
