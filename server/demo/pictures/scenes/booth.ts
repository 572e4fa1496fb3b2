import { mix } from '../color.ts'
import { deskLamp } from '../things/lamps.ts'
import { plant } from '../things/plants.ts'
import { stool } from '../things/seats.ts'
import { laptop, mug, notebook } from '../things/table-things.ts'
import { desk } from '../things/tables.ts'
import { drawLightStrip } from '../things/wall-pieces.ts'
import { buildRoom, mirror } from './base-room.ts'
import type { Brief, Scene } from './scene.ts'

export function buildBooth({ look, sights, random }: Brief): Scene {
  const [width, depth, height] = [1.7, 1.9, 2.35] as const
  const light = [{ x: [0.35, width - 0.35] as const, z: [0.75, 0.83] as const }]
  const room = buildRoom(look, sights, [width, depth, height], light)
  const { palette } = room
  const m = mirror(look, width)
  const felt = { finish: 'felt' as const, color: mix(palette.accent, palette.wall, 0.2) }
  const deskZ = depth - 0.32
  const top = mix(palette.wood, '#ffffff', 0.1)
  return {
    room: {
      ...room,
      walls: { left: felt, right: felt, back: { finish: 'slats', color: palette.wood } },
      windows: [{ wall: 'back', u: [0.42, width - 0.42], v: [1.18, 2.02], panes: [1, 1], frame: palette.metal }],
    },
    rugs: [
      {
        x: width / 2,
        z: 0.9,
        width: 1.2,
        depth: 1.1,
        round: true,
        colors: [mix(palette.accent, palette.wall, 0.5), mix(palette.accent, palette.wall, 0.25)],
      },
    ],
    things: [
      {
        parts: [
          ...desk(width - 0.04, 0.6, top, palette.metal, 0.98),
          ...laptop(0.02, -0.05, 0.98, palette.accent),
          ...mug(0.4, -0.12, 0.98, '#efe8dc'),
          ...notebook(-0.42, -0.08, 0.98, palette.textile),
          ...deskLamp(m.x(0) === 0 ? -0.62 : 0.62, 0.14, 0.98, palette.metal, m.x(0) === 0 ? 1 : -1),
          plant('fern', 1.02, 0.24, random, m.x(0) === 0 ? 0.62 : -0.62, 0.14),
        ],
        place: { x: width / 2, z: deskZ },
      },
      { parts: stool(palette.textile, palette.metal), place: { x: width / 2 + 0.05, z: deskZ - 0.62 } },
    ],
    drawHangings(stage) {
      drawLightStrip(stage, 'left', [-1.5, depth - 0.02], height - 0.14, '#ffd9a0')
      drawLightStrip(stage, 'right', [-1.5, depth - 0.02], height - 0.14, '#ffd9a0')
    },
    cameras: [
      m.camera({ at: [0.72, 1.5, -1.25], yaw: 3, focal: 900, horizon: 352 }),
      m.camera({ at: [1.3, 1.45, -0.35], yaw: -17, focal: 850, horizon: 372 }),
    ],
  }
}
