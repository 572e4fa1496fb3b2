import { mix } from '../color.ts'
import { floorLamp } from '../things/lamps.ts'
import { potted } from '../things/plants.ts'
import { armchair, sofa } from '../things/seats.ts'
import { drawShelf } from '../things/shelf.ts'
import { books, mug, vase } from '../things/table-things.ts'
import { lowTable } from '../things/tables.ts'
import { drawPicture, pickSpines } from '../things/wall-pieces.ts'
import { buildRoom, mirror } from './base-room.ts'
import type { Brief, Scene } from './scene.ts'

export function buildLounge({ look, sights, random }: Brief): Scene {
  const [width, depth, height] = [4.2, 4, 2.85] as const
  const room = buildRoom(look, sights, [width, depth, height])
  const { palette } = room
  const m = mirror(look, width)
  const cushions = [mix(palette.accent, '#ffffff', 0.2), palette.wood, mix(palette.textile, '#ffffff', 0.45)]
  const sofaColor = mix(palette.textile, palette.wall, 0.15)
  return {
    room,
    rugs: [
      {
        x: width / 2 - 0.05,
        z: 2.15,
        width: 2.7,
        depth: 2.1,
        round: false,
        colors: [mix(palette.wall, '#ffffff', 0.35), mix(palette.accent, palette.wall, 0.45)],
      },
    ],
    things: [
      { parts: sofa(1.95, sofaColor, palette.wood, cushions), place: { x: m.x(0.62), z: 2.25, turn: m.turn(90) } },
      {
        parts: armchair(mix(palette.accent, palette.wall, 0.12), palette.wood),
        place: { x: m.x(width - 0.95), z: 2.85, turn: m.turn(-62) },
      },
      {
        parts: armchair(mix(palette.accent, palette.wall, 0.12), palette.wood),
        place: { x: m.x(width - 0.85), z: 1.65, turn: m.turn(-108) },
      },
      {
        parts: [
          ...lowTable(0.46, palette.wood, palette.metal),
          ...mug(-0.16, -0.1, 0.4, palette.accent),
          ...mug(0.2, 0.06, 0.4, '#efe8dc'),
          ...books(0.02, 0.2, 0.4, [palette.textile, '#e9dfcf'], random),
          ...vase(
            -0.12,
            0.16,
            0.4,
            mix(palette.wall, '#ffffff', 0.4),
            random.pick(['#d9705f', '#e9b44c', '#f3e7da']),
            random,
          ),
        ],
        place: { x: width / 2 - 0.02, z: 2.2 },
      },
      { parts: floorLamp(palette.wood, '#fbe9c6'), place: { x: m.x(0.45), z: depth - 0.42 } },
      {
        parts: potted('fig', 1.5, mix(palette.accent, '#ffffff', 0.4), random),
        place: { x: m.x(width - 0.5), z: depth - 0.45 },
      },
      { parts: potted('snake', 0.7, palette.metal, random), place: { x: m.x(0.4), z: 0.85 } },
    ],
    drawHangings(stage) {
      const colors = [palette.accent, palette.metal, palette.textile]
      if (look.finish === 'paint') {
        for (const [index, u] of [1.5, 2.25, 3].entries())
          drawPicture(
            stage,
            { wall: m.dressed, u, v: index === 1 ? 1.72 : 1.66 },
            0.58,
            index === 1 ? 0.86 : 0.72,
            [...colors.slice(index), ...colors],
            palette.wood,
          )
      } else drawPicture(stage, { wall: m.dressed, u: 2.25, v: 1.68 }, 1.25, 0.9, colors, palette.wood)
      drawShelf(stage, { wall: m.plain, u: depth - 1.5, v: 1.5 }, 1.4, palette.wood, pickSpines(random, colors))
    },
    cameras: [
      m.camera({ at: [2.35, 1.32, -1.35], yaw: -4, focal: 830, horizon: 352 }),
      m.camera({ at: [3.1, 1.3, -1.0], yaw: -19, focal: 860, horizon: 356 }),
      m.camera({ at: [0.95, 1.2, -0.5], yaw: 22, focal: 860, horizon: 365 }),
    ],
  }
}
