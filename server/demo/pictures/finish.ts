import { HEIGHT, type Point, WIDTH } from './camera.ts'
import { mix } from './color.ts'
import { polygon, rect } from './drawing.ts'
import type { RoomStage } from './room/room.ts'
import type { Look } from './scenes/looks.ts'
import type { Rug } from './scenes/scene.ts'
import { lightOn } from './solids.ts'

export function drawRug(
  { drawing, camera, light }: RoomStage,
  { x, z, width, depth, round: isRound, colors }: Rug,
): void {
  const outline = (share: number): Point[] => {
    const [w, d] = [(width / 2) * share, (depth / 2) * share]
    if (!isRound)
      return [
        [x - w, 0.01, z - d],
        [x + w, 0.01, z - d],
        [x + w, 0.01, z + d],
        [x - w, 0.01, z + d],
      ]
    return Array.from({ length: 48 }, (_, index): Point => {
      const angle = (index / 48) * Math.PI * 2
      return [x + Math.cos(angle) * w, 0.01, z + Math.sin(angle) * d]
    })
  }
  const base = lightOn(light, [0, 1, 0])
  const [ground, band] = colors
  const lit = (color: string) => mix(color, '#1b1218', Math.max(0, 1 - base) * 0.8)
  drawing.add(polygon(camera.outline(outline(1)), `fill="${lit(mix(ground, '#000000', 0.12))}"`))
  drawing.add(polygon(camera.outline(outline(0.975)), `fill="${lit(ground)}"`))
  drawing.add(polygon(camera.outline(outline(0.88)), `fill="none" stroke="${lit(band)}" stroke-width="3"`))
  drawing.add(
    polygon(
      camera.outline(outline(0.8)),
      `fill="none" stroke="${lit(band)}" stroke-width="1.5" stroke-dasharray="10 7"`,
    ),
  )
}

/**
 * What the air and the lens do: light from the window lies over everything, the corners are darker. Plain covers, as
 * blend modes take the renderer twice as long.
 */
export function gradePicture({ drawing, camera, room, hour }: RoomStage, look: Look): void {
  const cover = (fill: string) => drawing.add(rect(0, 0, WIDTH, HEIGHT, `fill="${fill}"`))
  if (hour === 'dusk') {
    // Lamps are on: a warm pool in the middle of the room, blue dusk around it.
    const pool = drawing.radial(camera.project([room.width / 2, 1.1, room.depth * 0.55]), 760, [
      [0, '#ffb469', 0.24],
      [0.4, '#e08a5a', 0.1],
      [1, '#2a2350', 0.2],
    ])
    cover(pool)
  } else {
    const window = room.windows[0]
    const middle: Point = window
      ? [(window.u[0] + window.u[1]) / 2, (window.v[0] + window.v[1]) / 2, room.depth]
      : [room.width / 2, 1.5, room.depth]
    const warm = hour === 'golden' ? '#ffe0b0' : '#fff6e6'
    const haze = drawing.radial(camera.project(middle), 720, [
      [0, warm, 0.2],
      [1, warm, hour === 'golden' ? 0.05 : 0],
    ])
    cover(haze)
  }
  const corner = drawing.radial([WIDTH / 2, HEIGHT * 0.46], 860, [
    [0.45, '#140d18', 0],
    [1, '#140d18', look.palette === 'night' || look.palette === 'ink' ? 0.4 : 0.28],
  ])
  cover(corner)
}
