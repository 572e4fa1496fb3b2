import type { Random } from '#server/demo/seeded-random.ts'
import { mix } from '../color.ts'
import { type Drawing, ellipse, rect, round } from '../drawing.ts'
import { paintCity, paintRoofs } from './city.ts'
import { paintMountains, paintTableMountain } from './mountains.ts'
import { paintGlassTowers, paintTowers, paintUnionBuildings } from './towers.ts'
import { paintBlossom, paintPalms, paintTrees } from './trees.ts'
import { type Frame, type Hour, type Painter, place, type Sights, skies } from './view.ts'
import { paintBoats, paintCranes, paintLighthouse, paintQuay, paintSea, paintShips } from './water.ts'

/** Paints what lies outside a window. It is far away: no perspective, only the horizon at eye level. */
export function paintView(drawing: Drawing, sights: Sights, frame: Frame, hour: Hour, random: Random): void {
  const painter: Painter = { drawing, frame, sky: skies[hour], random }
  paintSky(painter, hour)
  painters[sights](painter)
}

const painters: Record<Sights, (painter: Painter) => void> = {
  'table-mountain': (painter) => {
    paintTableMountain(painter, 0, 1)
    paintCity(painter, { from: -1.3, to: 1.3, base: 0.16, low: 0.05, high: 0.19, tone: '#d3c4b6', count: 64 })
    paintTrees(painter, { y: 0.36, tone: '#5d7a55', height: 0.09 })
  },
  harbour: (painter) => {
    paintMountains(painter, '#8fa3b3', 0.1, 0.35)
    paintSea(painter, 0, '#4f8fa8')
    paintQuay(painter)
    paintCranes(painter)
    paintBoats(painter)
  },
  rooftops: (painter) => {
    paintTableMountain(painter, -0.35, 0.8)
    paintRoofs(painter)
  },
  johannesburg: (painter) => {
    paintMountains(painter, '#9aa5a0', 0.05, 0.3)
    paintCity(painter, { from: -1.3, to: 1.3, base: 0.06, low: 0.07, high: 0.3, tone: '#a9adb5', count: 52 })
    paintTowers(painter)
    paintTrees(painter, { y: 0.13, tone: '#5f7f57', height: 0.11 })
    paintTrees(painter, { y: 0.27, tone: '#4d6d48', height: 0.15 })
  },
  sandton: (painter) => {
    paintCity(painter, { from: -1.3, to: 1.3, base: 0.1, low: 0.1, high: 0.35, tone: '#b4bec9', count: 26 })
    paintGlassTowers(painter)
    paintTrees(painter, { y: 0.24, tone: '#557550', height: 0.13 })
  },
  ocean: (painter) => {
    paintSea(painter, 0, '#3f93a6')
    paintShips(painter)
    paintLighthouse(painter)
    paintTrees(painter, { y: 0.36, tone: '#4f7a55', height: 0.14 })
    paintPalms(painter, [-0.78, 0.62], 0.42)
  },
  palms: (painter) => {
    paintCity(painter, { from: -1.3, to: 1.3, base: 0.16, low: 0.05, high: 0.16, tone: '#d8c6b4', count: 22 })
    paintTrees(painter, { y: 0.2, tone: '#55805a', height: 0.16 })
    paintPalms(painter, [-0.6, -0.12, 0.3, 0.78], 0.4)
  },
  jacarandas: (painter) => {
    paintMountains(painter, '#93a58d', 0.16, 0.25)
    paintUnionBuildings(painter)
    paintTrees(painter, { y: 0.1, tone: '#6f8a5c', height: 0.12 })
    paintBlossom(painter, 0.16, 0.16)
    paintBlossom(painter, 0.34, 0.22)
  },
}

function paintSky(painter: Painter, hour: Hour): void {
  const { drawing, frame, sky, random } = painter
  const top = frame.horizon - frame.size * 1.1
  const fill = drawing.linear(
    [0, top],
    [0, frame.horizon],
    [
      [0, sky.top],
      [0.65, mix(sky.top, sky.low, 0.6)],
      [1, sky.low],
    ],
  )
  drawing.add(rect(-600, -1200, 2400, frame.horizon + 2400, `fill="${fill}"`))
  if (hour === 'golden' || hour === 'dusk' || hour === 'morning') {
    const sun = place(painter, random.between(-0.5, 0.5), hour === 'morning' ? -0.3 : -0.1)
    const glow = drawing.radial(sun, frame.size * 0.7, [
      [0, '#fff3d6', hour === 'dusk' ? 0.55 : 0.9],
      [0.12, '#ffe2ae', hour === 'dusk' ? 0.35 : 0.55],
      [1, '#ffd9a0', 0],
    ])
    drawing.add(ellipse(sun, frame.size * 0.7, frame.size * 0.7, `fill="${glow}"`))
  }
  for (let cloud = 0; cloud < 5; cloud += 1) {
    const [x, y] = place(painter, random.between(-1.1, 1.1), random.between(-0.85, -0.25))
    const width = frame.size * random.between(0.1, 0.26)
    const puffs = Array.from({ length: 5 }, (_, index) =>
      ellipse(
        [x + (index - 2) * width * 0.32, y - (index % 2) * width * 0.05],
        width * 0.3,
        width * random.between(0.06, 0.12),
        '',
      ),
    )
    drawing.add(`<g fill="${sky.cloud}" opacity="${round(random.between(3, 7)) / 10}">${puffs.join('')}</g>`)
  }
}
