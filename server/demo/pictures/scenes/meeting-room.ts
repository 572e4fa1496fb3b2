import { mix } from '../color.ts'
import { pendant } from '../things/lamps.ts'
import { potted } from '../things/plants.ts'
import { shellChair } from '../things/seats.ts'
import { books, carafe, laptop, mug, notebook, vase } from '../things/table-things.ts'
import { longTable, roundTable, sideboard } from '../things/tables.ts'
import { drawLightStrip, drawPicture, drawTelevision, drawWhiteboard } from '../things/wall-pieces.ts'
import { buildRoom, mirror } from './base-room.ts'
import type { Brief, Scene } from './scene.ts'

export function buildMeetingRoom({ look, sights, seats, random }: Brief): Scene {
  const long = seats > 4
  const [width, depth, height] = long ? ([4.5, 5.1, 2.9] as const) : ([4.1, 4.3, 2.85] as const)
  const room = buildRoom(look, sights, [width, depth, height])
  const { palette } = room
  const m = mirror(look, width)
  const [tx, tz] = [width / 2, depth * 0.55]
  const isRound = !long && look.window === 'arch'
  const top = mix(palette.wood, '#ffffff', 0.08)
  const tableDepth = long ? 2.5 : 1.8
  const halfWidth = 0.58
  const onTable = [
    ...laptop(-0.24, -0.36, 0.75, palette.accent),
    ...carafe(0.1, 0.2, 0.75),
    ...notebook(0.3, -0.42, 0.75, palette.textile),
    ...mug(-0.36, 0.36, 0.75, palette.accent),
    ...vase(
      -0.02,
      long ? 0.85 : 0.52,
      0.75,
      mix(palette.accent, '#ffffff', 0.2),
      random.pick(['#e9b44c', '#d9705f', '#f0e2d0', palette.textile]),
      random,
    ),
  ]
  const table = isRound
    ? roundTable(0.68, top, palette.metal, 0.75)
    : longTable(halfWidth * 2, tableDepth, top, palette.metal)
  const chair = () => shellChair(palette.textile, palette.wood)
  const seatsAt: { x: number; z: number; outward: readonly [number, number]; reach: number }[] = isRound
    ? [35, 125, 215, 305].map((angle) => {
        const outward = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)] as const
        return { x: outward[0] * 0.9, z: outward[1] * 0.9, outward, reach: 0.62 }
      })
    : (long ? [-0.8, 0, 0.8] : [-0.42, 0.42]).flatMap((z) => [
        { x: -halfWidth - 0.22, z, outward: [-1, 0] as const, reach: halfWidth },
        { x: halfWidth + 0.22, z, outward: [1, 0] as const, reach: halfWidth },
      ])
  const lamps = long ? [-0.75, 0, 0.75] : [0]
  const lampShape = random.pick(['dome', 'cone', 'globe', 'drum'] as const)
  return {
    room,
    rugs: [
      {
        x: tx,
        z: tz,
        width: long ? 3.2 : 2.9,
        depth: tableDepth + 1.3,
        round: isRound,
        colors: [mix(palette.accent, palette.wall, 0.62), mix(palette.accent, palette.wall, 0.4)],
      },
    ],
    things: [
      { parts: [...table, ...onTable], place: { x: tx, z: tz } },
      ...seatsAt.map(({ x, z, outward, reach }) => ({
        parts: chair(),
        place: {
          x: tx + x,
          z: tz + z,
          turn: (Math.atan2(-outward[0], outward[1]) * 180) / Math.PI + random.between(-9, 9),
        },
        beside: { x: tx, z: tz, outward, reach },
      })),
      ...lamps.map((z) => ({
        parts: pendant(
          0,
          0,
          long ? 1.85 : 1.82,
          height,
          lamps.length > 1 ? 0.17 : 0.27,
          mix(palette.accent, palette.metal, 0.2),
          lampShape,
        ),
        place: { x: tx, z: tz + z },
      })),
      {
        parts: potted(random.pick(['fig', 'strelitzia']), 1.45, mix(palette.wall, palette.metal, 0.25), random),
        place: { x: m.x(width - 0.45), z: depth - 0.5 },
      },
      {
        parts: sideboard(1.5, mix(palette.wood, '#ffffff', 0.05), palette.metal),
        place: { x: m.x(width - 0.24), z: depth - 1.75, turn: m.turn(-90) },
      },
      {
        parts: [...books(0, 0, 0.73, [palette.accent, palette.textile, '#efe4d2'], random)],
        place: { x: m.x(width - 0.24), z: depth - 1.3 },
      },
    ],
    drawHangings(stage) {
      if (long) drawWhiteboard(stage, { wall: m.plain, u: depth - 1.9, v: 1.55 }, 1.9, 1.1, palette.accent)
      else drawTelevision(stage, { wall: m.plain, u: depth - 1.75, v: 1.58 }, 1.35, palette.accent)
      if (look.finish === 'slats' || look.finish === 'cork')
        drawLightStrip(stage, m.dressed, [0.3, depth - 0.15], height - 0.35, '#ffd9a0')
      else if (look.finish !== 'felt')
        drawPicture(
          stage,
          { wall: m.dressed, u: depth - 1.6, v: 1.62 },
          0.95,
          1.15,
          [palette.accent, palette.metal, palette.textile],
          palette.wood,
        )
      if (long && look.finish === 'felt')
        drawTelevision(stage, { wall: m.dressed, u: depth - 1.9, v: 1.6 }, 1.5, palette.accent)
    },
    cameras: [
      m.camera({ at: [1.05, 1.5, -1.35], yaw: 13, focal: 860, horizon: 352 }),
      m.camera({ at: [width - 0.7, 1.42, -0.35], yaw: -21, focal: 830, horizon: 352 }),
      m.camera({ at: [width / 2 - 0.2, 1.35, -1.0], yaw: 2, focal: 980, horizon: 372 }),
    ],
  }
}
