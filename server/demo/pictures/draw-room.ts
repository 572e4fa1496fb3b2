import { createRandom } from '#server/demo/seeded-random.ts'
import { createCamera } from './camera.ts'
import { drawParts, shadowsOf } from './draw-solids.ts'
import { createDrawing, toPath } from './drawing.ts'
import { drawRug, gradePicture } from './finish.ts'
import { type RoomStage, toLight } from './room/room.ts'
import { drawShell } from './room/shell.ts'
import { drawSunPatches } from './room/windows.ts'
import { type Look, looks } from './scenes/looks.ts'
import type { RoomKind, Scene, Standing } from './scenes/scene.ts'
import { scenes } from './scenes/scenes.ts'
import { toWorldOf } from './solids.ts'
import type { Hour, Sights } from './views/view.ts'

export type RoomBrief = { slug: string; kind: RoomKind; seats: number; sights: Sights }

/** One picture of a room as SVG text; `index` counts the places from which it is seen. The same brief, the same picture. */
export function drawRoom(
  { slug, kind, seats, sights }: RoomBrief,
  index: number,
  width: number,
  height: number,
): string {
  const look = looks[slug] ?? createRandom(slug).pick(Object.values(looks))
  const scene = scenes[kind]({ look, sights, seats, random: createRandom(slug) })
  const hour = toHour(look, slug, index, countPictures(kind))
  const place = scene.cameras[index % scene.cameras.length]
  if (!place) throw new Error('A scene needs a camera')
  const drawing = createDrawing()
  const stage: RoomStage = {
    drawing,
    camera: createCamera(place),
    light: toLight(scene.room, hour, look.side === 'left' ? 1 : -1),
    room: scene.room,
    hour,
    random: createRandom(`${slug} walls`),
    seed: slug,
  }
  drawShell(stage)
  scene.drawHangings(stage)
  for (const rug of scene.rugs) drawRug(stage, rug)
  drawShadows(stage, scene)
  drawSunPatches(stage)
  for (const thing of inOrder(stage, scene.things)) drawParts(stage, thing.parts, toWorldOf(thing.place))
  gradePicture(stage, look)
  return drawing.toSvg(width, height)
}

export function countPictures(kind: RoomKind): number {
  return kind === 'boardroom' || kind === 'lounge' ? 3 : 2
}

/** The last of three was taken in the evening, and of some that have two. */
function toHour(look: Look, slug: string, index: number, count: number): Hour {
  const inTheEvening = index === 2 || (index === 1 && count === 2 && createRandom(slug).chance(0.4))
  if (!inTheEvening) return look.hour
  return look.hour === 'dusk' ? 'golden' : 'dusk'
}

function drawShadows(stage: RoomStage, scene: Scene): void {
  const floor = stage.camera.outline([
    [0, 0, -4],
    [scene.room.width, 0, -4],
    [scene.room.width, 0, scene.room.depth],
    [0, 0, scene.room.depth],
  ])
  const shadows = scene.things.flatMap((thing) => shadowsOf(stage, thing.parts, toWorldOf(thing.place))).join('')
  stage.drawing.clipped(toPath(floor), () => {
    stage.drawing.add(
      `<g opacity="${stage.hour === 'dusk' ? 0.26 : 0.34}"><g fill="#1b1218" filter="url(#soft)">${shadows}</g></g>`,
    )
  })
}

/** The farthest first; a chair goes before or after its table by the side of the table's edge on which the camera is. */
function inOrder({ camera }: RoomStage, things: readonly Standing[]): Standing[] {
  const far = (x: number, z: number) => Math.hypot(x - camera.at[0], z - camera.at[2])
  const toKey = ({ place, beside, parts }: Standing) => {
    const middle = parts.length > 0 && place.x === 0 && place.z === 0 ? 0 : far(place.x, place.z)
    if (!beside) return middle
    const outside =
      (camera.at[0] - beside.x) * beside.outward[0] + (camera.at[2] - beside.z) * beside.outward[1] > beside.reach
    const table = far(beside.x, beside.z)
    return outside ? Math.min(middle, table - 0.01) : Math.max(middle, table + 0.01)
  }
  return [...things].sort((a, b) => toKey(b) - toKey(a))
}
