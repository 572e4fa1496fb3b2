import type { Point } from '../camera.ts'
import { mix, shade } from '../color.ts'
import { polygon, round } from '../drawing.ts'
import { lightOn } from '../solids.ts'
import { BEHIND, type RoomStage } from './room.ts'

export function drawFloor(stage: RoomStage): void {
  const { drawing, camera, room, random } = stage
  const color = room.palette.floor
  const base = lightOn(stage.light, [0, 1, 0])
  const quad = (x0: number, x1: number, z0: number, z1: number, fill: string, more = '') =>
    drawing.add(
      polygon(
        camera.outline([
          [x0, 0, z0],
          [x1, 0, z0],
          [x1, 0, z1],
          [x0, 0, z1],
        ]),
        `fill="${fill}" ${more}`,
      ),
    )
  quad(0, room.width, BEHIND, room.depth, shade(color, base))
  const near = camera.at[2] - 0.5
  if (room.floor === 'planks') {
    for (let x = 0; x < room.width; x += 0.17) {
      for (let z = near - random.next() * 1.4; z < room.depth; z += 1.7) {
        const tone = shade(color, base + random.between(-0.09, 0.06))
        quad(
          x,
          Math.min(room.width, x + 0.17),
          z,
          Math.min(room.depth, z + 1.7),
          tone,
          `stroke="${shade(color, base - 0.24)}" stroke-width="0.7"`,
        )
      }
    }
  } else if (room.floor === 'herringbone') {
    drawHerringbone(stage, color, base, near)
  } else if (room.floor === 'tiles') {
    for (let x = 0, column = 0; x < room.width; x += 0.42, column += 1) {
      for (let z = room.depth, row = 0; z > near; z -= 0.42, row += 1) {
        const tone = (row + column) % 2 === 0 ? color : mix(color, room.palette.wall, 0.32)
        quad(
          x,
          Math.min(room.width, x + 0.42),
          z - 0.42,
          z,
          shade(tone, base + random.between(-0.02, 0.02)),
          `stroke="${shade(color, base - 0.2)}" stroke-width="0.8"`,
        )
      }
    }
  } else if (room.floor === 'concrete') {
    for (let index = 0; index < 16; index += 1) {
      const at: Point = [random.between(0, room.width), 0, random.between(near, room.depth)]
      const [x, y] = camera.project(at)
      const size = camera.scaleAt(at) * random.between(0.3, 0.9)
      drawing.add(
        `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(size)}" ry="${round(size * 0.22)}" fill="${shade(color, base + random.between(-0.1, 0.1))}" opacity="0.12"/>`,
      )
    }
  } else {
    for (let x = 0; x < room.width; x += 0.5)
      quad(x, Math.min(room.width, x + 0.25), near, room.depth, shade(color, base + 0.03))
  }
}

function drawHerringbone(
  { drawing, camera, room, random }: RoomStage,
  color: string,
  base: number,
  near: number,
): void {
  const length = 0.6
  const width = 0.12
  const step = Math.SQRT1_2
  const stroke = `stroke="${shade(color, base - 0.2)}" stroke-width="0.6"`
  for (let column = -1; column * length * step * 2 < room.width + 1; column += 1) {
    for (let z = near - 1; z < room.depth + 0.6; z += width / step) {
      for (const side of [1, -1]) {
        const x = column * length * step * 2 + (side === 1 ? 0 : length * step * 2)
        const corner: Point = [x, 0, z]
        const along: readonly [number, number] = [side * length * step, length * step]
        const across: readonly [number, number] = [0, width / step]
        const points: Point[] = [
          corner,
          [x + along[0], 0, z + along[1]],
          [x + along[0] + across[0], 0, z + along[1] + across[1]],
          [x + across[0], 0, z + across[1]],
        ]
        const inside = points.map(
          ([px, , pz]): Point => [Math.min(room.width, Math.max(0, px)), 0, Math.min(room.depth, pz)],
        )
        const tone = shade(color, base + (side === 1 ? 0.03 : -0.05) + random.between(-0.04, 0.04))
        drawing.add(polygon(camera.outline(inside), `fill="${tone}" ${stroke}`))
      }
    }
  }
}
