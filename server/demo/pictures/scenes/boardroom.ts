import { mix } from '../color.ts'
import { pendant } from '../things/lamps.ts'
import { potted } from '../things/plants.ts'
import { boardChair } from '../things/seats.ts'
import { carafe, laptop, mug, notebook, vase } from '../things/table-things.ts'
import { longTable, sideboard } from '../things/tables.ts'
import { drawLightStrip, drawPicture, drawTelevision } from '../things/wall-pieces.ts'
import { buildRoom, mirror } from './base-room.ts'
import type { Brief, Scene } from './scene.ts'

export function buildBoardroom({ look, sights, seats, random }: Brief): Scene {
  const [width, depth, height] = seats > 8 ? ([5.4, 7.2, 3] as const) : ([5.2, 6.3, 3] as const)
  const lights =
    look.finish === 'brick'
      ? []
      : [0.9, width - 1.0].map((x) => ({ x: [x, x + 0.1] as const, z: [-3, depth - 0.6] as const }))
  const room = buildRoom(look, sights, [width, depth, height], lights)
  const { palette } = room
  const m = mirror(look, width)
  const [tx, tz] = [width / 2, depth * 0.52]
  const halfWidth = 0.7
  const rows = Math.floor((seats - 1) / 2)
  const tableDepth = rows * 0.86 + 0.5
  const chairColor = palette.textile
  const seatRows = Array.from({ length: rows }, (_, index) => (index - (rows - 1) / 2) * 0.86)
  const top = palette.wood
  const onTable = seatRows.flatMap((z, index) => [
    ...(index % 2 === 0 ? laptop(-0.36, z - 0.02, 0.75, palette.accent) : notebook(-0.4, z, 0.75, palette.accent)),
    ...(index % 2 === 1 ? mug(0.44, z, 0.75, '#efe8dc') : notebook(0.4, z, 0.75, palette.textile)),
  ])
  return {
    room,
    rugs:
      look.floor === 'carpet'
        ? []
        : [
            {
              x: tx,
              z: tz,
              width: 3.5,
              depth: tableDepth + 1.6,
              round: false,
              colors: [mix(palette.accent, palette.wall, 0.5), mix(palette.accent, palette.wall, 0.25)],
            },
          ],
    things: [
      {
        parts: [
          ...longTable(halfWidth * 2, tableDepth, top, palette.metal),
          ...onTable,
          ...carafe(0, -0.3, 0.75),
          ...vase(
            0,
            0.7,
            0.75,
            mix(palette.wall, '#ffffff', 0.3),
            random.pick(['#d9705f', '#f0e2d0', '#e9b44c']),
            random,
          ),
        ],
        place: { x: tx, z: tz },
      },
      ...seatRows.flatMap((z) =>
        ([-1, 1] as const).map((side) => ({
          parts: boardChair(chairColor, palette.metal),
          place: { x: tx + side * (halfWidth + 0.28), z: tz + z, turn: side * -90 + random.between(-8, 8) },
          beside: { x: tx, z: tz, outward: [side, 0] as const, reach: halfWidth },
        })),
      ),
      {
        parts: boardChair(chairColor, palette.metal),
        place: { x: tx, z: tz + tableDepth / 2 + 0.3, turn: 0 },
        beside: { x: tx, z: tz, outward: [0, 1] as const, reach: tableDepth / 2 },
      },
      ...[-1, 0, 1].map((index) => ({
        parts: pendant(
          0,
          0,
          1.95,
          height,
          0.2,
          look.finish === 'brick' ? palette.metal : mix(palette.metal, palette.accent, 0.3),
          look.finish === 'brick' ? ('dome' as const) : ('globe' as const),
        ),
        place: { x: tx, z: tz + index * 1.05 },
      })),
      { parts: potted('strelitzia', 1.6, palette.metal, random), place: { x: m.x(width - 0.5), z: depth - 0.55 } },
      { parts: potted('fig', 1.35, mix(palette.wall, '#ffffff', 0.3), random), place: { x: m.x(0.5), z: depth - 0.5 } },
      {
        parts: sideboard(2, mix(palette.wood, '#000000', 0.08), palette.metal),
        place: { x: m.x(width - 0.25), z: depth - 2.4, turn: m.turn(-90) },
      },
    ],
    drawHangings(stage) {
      drawTelevision(stage, { wall: m.plain, u: depth - 2.4, v: 1.62 }, 1.9, palette.accent)
      if (look.finish === 'slats') drawLightStrip(stage, m.dressed, [-1, depth - 0.15], height - 0.4, '#ffd9a0')
      else {
        drawPicture(
          stage,
          { wall: m.dressed, u: depth - 1.5, v: 1.65 },
          0.95,
          1.2,
          [palette.accent, palette.metal, palette.textile],
          palette.wood,
        )
        drawPicture(
          stage,
          { wall: m.dressed, u: depth - 2.8, v: 1.65 },
          0.95,
          1.2,
          [palette.textile, palette.accent, palette.metal],
          palette.wood,
        )
      }
    },
    cameras: [
      m.camera({ at: [1.25, 1.58, -1.0], yaw: 14, focal: 820, horizon: 340 }),
      m.camera({ at: [width - 0.85, 1.5, 0.1], yaw: -19, focal: 820, horizon: 345 }),
      m.camera({ at: [width / 2, 1.5, -0.9], yaw: 0, focal: 900, horizon: 360 }),
    ],
  }
}
