import { mix } from '../color.ts'
import { floorLamp, pendant } from '../things/lamps.ts'
import { potted } from '../things/plants.ts'
import { boardChair } from '../things/seats.ts'
import { headphones, laptop, microphone, mug } from '../things/table-things.ts'
import { roundTable } from '../things/tables.ts'
import { drawLightStrip, drawPicture } from '../things/wall-pieces.ts'
import { buildRoom, mirror } from './base-room.ts'
import type { Brief, Scene } from './scene.ts'

export function buildStudio({ look, sights, random }: Brief): Scene {
  const [width, depth, height] = [3.7, 3.7, 2.6] as const
  const room = buildRoom(look, sights, [width, depth, height])
  const { palette } = room
  const m = mirror(look, width)
  const [tx, tz] = [width / 2, 2.15]
  return {
    room: {
      ...room,
      walls: { ...room.walls, [m.plain]: { finish: 'felt', color: mix(palette.wall, palette.metal, 0.25) } },
    },
    rugs: [
      {
        x: tx,
        z: tz,
        width: 2.5,
        depth: 2,
        round: true,
        colors: [mix(palette.accent, palette.wall, 0.35), mix(palette.accent, palette.wall, 0.6)],
      },
    ],
    things: [
      {
        parts: [
          ...roundTable(0.66, palette.wood, palette.metal),
          ...microphone(-0.5, 0.2, 0.74, 1),
          ...microphone(0.5, 0.2, 0.74, -1),
          ...headphones(-0.2, -0.3, 0.74),
          ...mug(0.22, -0.34, 0.74, palette.accent),
          ...laptop(0.02, 0.02, 0.74, palette.accent),
        ],
        place: { x: tx, z: tz },
      },
      {
        parts: boardChair(palette.textile, palette.metal),
        place: { x: tx - 0.98, z: tz + 0.2, turn: 78 },
        beside: { x: tx, z: tz, outward: [-1, 0], reach: 0.6 },
      },
      {
        parts: boardChair(palette.textile, palette.metal),
        place: { x: tx + 0.98, z: tz + 0.2, turn: -78 },
        beside: { x: tx, z: tz, outward: [1, 0], reach: 0.6 },
      },
      { parts: pendant(0, 0, 1.72, height, 0.24, palette.metal, 'dome'), place: { x: tx, z: tz } },
      { parts: potted('snake', 0.9, palette.accent, random), place: { x: m.x(width - 0.4), z: depth - 0.4 } },
      { parts: floorLamp(palette.metal, '#ffe2ac'), place: { x: m.x(0.4), z: depth - 0.45 } },
    ],
    drawHangings(stage) {
      drawLightStrip(stage, m.dressed, [0, depth - 0.05], height - 0.25, palette.accent)
      drawLightStrip(stage, m.plain, [0, depth - 0.05], height - 0.25, palette.accent)
      drawPicture(
        stage,
        { wall: m.plain, u: depth - 1.4, v: 1.55 },
        0.7,
        0.9,
        [palette.accent, palette.textile, '#e9dfcf'],
        palette.metal,
      )
    },
    cameras: [
      m.camera({ at: [1.3, 1.4, -0.95], yaw: 9, focal: 850, horizon: 365 }),
      m.camera({ at: [2.6, 1.3, 0.15], yaw: -16, focal: 900, horizon: 372 }),
      m.camera({ at: [1.85, 1.25, -0.2], yaw: 0, focal: 950, horizon: 385 }),
    ],
  }
}
