import type { CameraPlace } from '../camera.ts'
import { mix } from '../color.ts'
import type { Palette, RoomPlan, WindowPlan } from '../room/room.ts'
import type { Sights } from '../views/view.ts'
import type { Look, WindowStyle } from './looks.ts'
import { palettes } from './palettes.ts'

function buildWindows(style: WindowStyle, width: number, height: number, palette: Palette): WindowPlan[] {
  const dark = palette.metal
  const light = mix(palette.ceiling, '#ffffff', 0.4)
  const middle = width / 2
  if (style === 'wide')
    return [{ wall: 'back', u: [0.35, width - 0.35], v: [0.82, height - 0.35], panes: [3, 1], frame: dark }]
  if (style === 'tall')
    return [{ wall: 'back', u: [width * 0.24, width * 0.76], v: [0.12, height - 0.2], panes: [2, 1], frame: light }]
  if (style === 'steel')
    return [
      {
        wall: 'back',
        u: [0.4, width - 0.4],
        v: [0.7, height - 0.25],
        panes: [Math.round(width * 1.3), 4],
        frame: '#2b2c30',
      },
    ]
  if (style === 'arch')
    return [
      {
        wall: 'back',
        u: [middle - Math.min(1.05, width * 0.32), middle + Math.min(1.05, width * 0.32)],
        v: [0.6, height - 0.18],
        panes: [2, 3],
        shape: 'arch',
        frame: light,
      },
    ]
  if (style === 'round')
    return [
      { wall: 'back', u: [middle - 0.78, middle + 0.78], v: [0.92, 2.48], panes: [2, 2], shape: 'round', frame: dark },
    ]
  return [
    { wall: 'back', u: [width * 0.1, width * 0.44], v: [0.62, height - 0.25], panes: [2, 3], frame: light },
    { wall: 'back', u: [width * 0.56, width * 0.9], v: [0.62, height - 0.25], panes: [2, 3], frame: light },
  ]
}

export function buildRoom(
  look: Look,
  sights: Sights,
  [width, depth, height]: readonly [number, number, number],
  lights: RoomPlan['ceilingLights'] = [],
): RoomPlan {
  const palette: Palette = palettes[look.palette]
  const finishColor = {
    paint: palette.accent,
    slats: palette.wood,
    felt: mix(palette.accent, palette.wall, 0.25),
    brick: '#a8644c',
    cork: '#b98f63',
    panelled: mix(palette.accent, palette.wall, 0.3),
    dado: palette.wall,
  }[look.finish]
  const plain = { finish: 'paint' as const, color: palette.wall }
  const dressed = { finish: look.finish, color: finishColor }
  return {
    width,
    depth,
    height,
    palette,
    floor: look.floor,
    walls: {
      back:
        look.finish === 'brick'
          ? { finish: 'brick', color: mix(finishColor, '#d9b9a4', 0.25) }
          : look.finish === 'dado'
            ? dressed
            : plain,
      left: look.side === 'left' ? dressed : look.finish === 'dado' ? dressed : plain,
      right: look.side === 'right' ? dressed : look.finish === 'dado' ? dressed : plain,
    },
    windows: buildWindows(look.window, width, height, palette),
    sights,
    ceilingLights: lights,
  }
}

/** Mirrors a plan that was drawn for a finish on the left. */
export function mirror(look: Look, width: number) {
  const flipped = look.side === 'right'
  return {
    x: (x: number) => (flipped ? width - x : x),
    turn: (turn: number) => (flipped ? -turn : turn),
    dressed: look.side,
    plain: flipped ? ('left' as const) : ('right' as const),
    camera: ({ at, yaw, focal, horizon }: CameraPlace): CameraPlace => ({
      at: [flipped ? width - at[0] : at[0], at[1], at[2]],
      yaw: flipped ? -yaw : yaw,
      focal,
      horizon,
    }),
  }
}
