import { mix, shade } from '../color.ts'
import { nearestEnd, type RoomStage, type WallFinish, type WallSide, wallEnds, wallQuad } from './room.ts'

type Finisher = (stage: RoomStage, wall: WallSide, color: string, base: number) => void

export const finishers: Record<WallFinish, Finisher> = {
  paint: () => undefined,
  slats: (stage, wall, color, base) => {
    const [, to] = wallEnds(stage.room, wall)
    for (let u = nearestEnd(stage, wall); u < to; u += 0.075) {
      const tone = shade(color, base + stage.random.between(-0.05, 0.05))
      wallQuad(stage, wall, [u, u + 0.03], [0, stage.room.height], 0, `fill="${shade(color, base - 0.42)}"`)
      wallQuad(stage, wall, [u + 0.03, u + 0.075], [0, stage.room.height], 0, `fill="${tone}"`)
    }
  },
  felt: (stage, wall, color, base) => {
    const [, to] = wallEnds(stage.room, wall)
    const tones = [color, shade(color, 0.9), mix(color, stage.room.palette.accent, 0.22), shade(color, 1.06)]
    for (let u = nearestEnd(stage, wall); u < to; u += 0.46) {
      for (let v = 0.1; v < stage.room.height; v += 0.46) {
        const tone = shade(stage.random.pick(tones), base)
        wallQuad(stage, wall, [u + 0.015, u + 0.445], [v + 0.015, v + 0.445], 0, `fill="${shade(color, base - 0.25)}"`)
        wallQuad(
          stage,
          wall,
          [u + 0.03, u + 0.43],
          [v + 0.035, v + 0.435],
          0.02,
          `fill="${tone}" stroke="${tone}" stroke-width="3" stroke-linejoin="round"`,
        )
      }
    }
  },
  brick: (stage, wall, color, base) => {
    const [, to] = wallEnds(stage.room, wall)
    for (let v = 0, row = 0; v < stage.room.height; v += 0.085, row += 1) {
      for (let u = nearestEnd(stage, wall) - (row % 2) * 0.12; u < to; u += 0.24) {
        const tone = shade(
          mix(color, stage.random.pick(['#8a5240', '#c98d6f', '#b06f56']), 0.35),
          base + stage.random.between(-0.09, 0.07),
        )
        wallQuad(stage, wall, [u + 0.006, u + 0.234], [v + 0.006, v + 0.079], 0, `fill="${tone}"`)
      }
    }
  },
  cork: (stage, wall, color, base) => {
    const [, to] = wallEnds(stage.room, wall)
    for (let u = nearestEnd(stage, wall); u < to; u += 0.6) {
      for (let v = 0; v < stage.room.height; v += 0.9) {
        wallQuad(
          stage,
          wall,
          [u, u + 0.6],
          [v, v + 0.9],
          0,
          `fill="${shade(color, base + stage.random.between(-0.04, 0.04))}" stroke="${shade(color, base - 0.1)}" stroke-width="0.8"`,
        )
      }
    }
  },
  panelled: (stage, wall, color, base) => {
    const [, to] = wallEnds(stage.room, wall)
    for (let u = nearestEnd(stage, wall) + 0.12; u < to; u += 0.95) {
      for (const [low, high] of [
        [0.2, 0.82],
        [0.98, stage.room.height - 0.18],
      ] as const) {
        wallQuad(
          stage,
          wall,
          [u, u + 0.8],
          [low, high],
          0,
          `fill="none" stroke="${shade(color, base - 0.2)}" stroke-width="2.2"`,
        )
        wallQuad(
          stage,
          wall,
          [u + 0.02, u + 0.82],
          [low - 0.015, high - 0.015],
          0,
          `fill="none" stroke="${shade(color, base + 0.16)}" stroke-width="1.4"`,
        )
      }
    }
  },
  dado: (stage, wall, color, base) => {
    const [from, to] = wallEnds(stage.room, wall)
    const lower = mix(color, stage.room.palette.accent, 0.75)
    wallQuad(stage, wall, [from, to], [0, 1.08], 0, `fill="${shade(lower, base - 0.02)}"`)
    wallQuad(stage, wall, [from, to], [1.08, 1.115], 0.012, `fill="${shade(stage.room.palette.wood, base + 0.04)}"`)
  },
}
