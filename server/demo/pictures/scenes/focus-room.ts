import { mix } from '../color.ts'
import { deskLamp, pendant } from '../things/lamps.ts'
import { potted } from '../things/plants.ts'
import { armchair, taskChair } from '../things/seats.ts'
import { drawShelf } from '../things/shelf.ts'
import { books, laptop, monitor, mug, notebook } from '../things/table-things.ts'
import { desk } from '../things/tables.ts'
import { drawLightStrip, drawPicture, pickSpines } from '../things/wall-pieces.ts'
import { buildRoom, mirror } from './base-room.ts'
import type { Brief, Scene } from './scene.ts'

export function buildFocusRoom({ look, sights, seats, random }: Brief): Scene {
  const [width, depth, height] = [3.1, 3.3, 2.75] as const
  const room = buildRoom(look, sights, [width, depth, height])
  const { palette } = room
  const m = mirror(look, width)
  const spines = pickSpines(random, [palette.accent, palette.textile])
  const deskWidth = seats > 1 ? 2.2 : 1.55
  const deskX = width / 2
  const deskZ = depth - 0.48
  const top = mix(palette.wood, '#ffffff', 0.12)
  const side = look.side === 'left' ? 1 : -1
  const onDesk = [
    ...monitor(seats > 1 ? -0.5 : -0.08, 0.1, 0.74, palette.accent, seats > 1 ? 0.56 : 0.6),
    ...(seats > 1 ? laptop(0.5, -0.04, 0.74, palette.textile) : []),
    ...mug(seats > 1 ? 0.06 : 0.38, -0.14, 0.74, palette.textile),
    ...notebook(seats > 1 ? -0.95 : -0.5, -0.12, 0.74, palette.accent),
    ...deskLamp(side * (deskWidth / 2 - 0.18), 0.12, 0.74, palette.metal, side === 1 ? -1 : 1),
    ...(seats > 1 ? [] : books(-side * (deskWidth / 2 - 0.2), 0.12, 0.74, spines.slice(0, 3), random)),
  ]
  const chairs = seats > 1 ? [-0.52, 0.52] : [0.04]
  const plantKind = random.pick(['fig', 'strelitzia', 'snake'] as const)
  return {
    room,
    rugs: [
      {
        x: width / 2,
        z: 1.75,
        width: 2.1,
        depth: 1.5,
        round: random.chance(0.5),
        colors: [mix(palette.textile, palette.wall, 0.45), mix(palette.textile, palette.wall, 0.15)],
      },
    ],
    things: [
      { parts: [...desk(deskWidth, 0.74, top, palette.metal), ...onDesk], place: { x: deskX, z: deskZ } },
      ...chairs.map((x, index) => ({
        parts: taskChair(palette.textile, palette.metal),
        place: { x: deskX + x + 0.08, z: deskZ - 0.72 - index * 0.12, turn: 180 + random.between(-28, 28) },
      })),
      {
        parts: potted(plantKind, plantKind === 'snake' ? 0.85 : 1.25, mix(palette.accent, '#ffffff', 0.25), random),
        place: { x: m.x(0.42), z: depth - 0.5 },
      },
      seats > 1
        ? { parts: potted('snake', 0.8, palette.metal, random), place: { x: m.x(width - 0.4), z: depth - 0.55 } }
        : {
            parts: armchair(mix(palette.accent, palette.wall, 0.25), palette.wood),
            place: { x: m.x(width - 0.55), z: 1.62, turn: m.turn(-70) },
          },
      {
        parts: pendant(
          deskX - side * 0.1,
          deskZ - 0.3,
          2.02,
          height,
          0.19,
          palette.metal,
          random.pick(['dome', 'cone', 'globe']),
        ),
        place: { x: 0, z: 0 },
      },
    ],
    drawHangings(stage) {
      drawShelf(stage, { wall: m.plain, u: depth - 1.05, v: 1.55 }, 1.15, palette.wood, spines)
      drawShelf(stage, { wall: m.plain, u: depth - 1.05, v: 1.98 }, 1.15, palette.wood, spines)
      if (look.finish !== 'slats')
        drawPicture(
          stage,
          { wall: m.dressed, u: depth - 1.3, v: 1.6 },
          0.62,
          0.86,
          [palette.accent, palette.metal, palette.textile],
          palette.wood,
        )
      else drawLightStrip(stage, m.dressed, [0.3, depth - 0.1], 2.3, '#ffd9a0')
    },
    cameras: [
      m.camera({ at: [1.3, 1.42, -1.7], yaw: 5, focal: 960, horizon: 366 }),
      m.camera({ at: [0.7, 1.36, -0.85], yaw: 16, focal: 900, horizon: 368 }),
    ],
  }
}
