import type { Random } from '#server/demo/seeded-random.ts'
import type { Point, Spot } from '../camera.ts'
import { shade } from '../color.ts'
import { round } from '../drawing.ts'
import { type Part, type Stage, type ToWorld, turned } from '../solids.ts'

function floorPot(color: string, radius: number, height: number): Part[] {
  return [
    turned(
      [0, 0],
      [
        [0, radius * 0.74],
        [height * 0.55, radius * 0.95],
        [height, radius],
      ],
      color,
    ),
    turned(
      [0, 0],
      [
        [height + 0.001, radius * 0.9],
        [height + 0.002, radius * 0.9],
      ],
      '#4b382c',
      { layer: 1 },
    ),
  ]
}

type Leaf = { root: Point; tip: Point; width: number; tone: string; bend: number }

function drawLeaf({ drawing, camera }: Stage, leaf: Leaf, toWorld: ToWorld, stem: string): void {
  const root = camera.project(toWorld(leaf.root))
  const tip = camera.project(toWorld(leaf.tip))
  const scale = camera.scaleAt(toWorld(leaf.tip))
  const [dx, dy] = [tip[0] - root[0], tip[1] - root[1]]
  const length = Math.hypot(dx, dy) || 1
  const [nx, ny] = [(-dy / length) * leaf.width * scale, (dx / length) * leaf.width * scale]
  const lift = leaf.bend * scale
  const along = (share: number, side: number): Spot => [
    root[0] + dx * share + nx * side,
    root[1] + dy * share + ny * side - Math.sin(share * Math.PI) * lift,
  ]
  const outward = (side: number) => `C${toText(along(0.25, side), along(0.7, side), tip)}`
  const homeward = (side: number) => `C${toText(along(0.7, side), along(0.25, side), root)}`
  const start = `M${toText(root)}`
  drawing.add(`<path d="${start}${outward(1)}${homeward(-1)}Z" fill="${leaf.tone}"/>`)
  // One half catches the light.
  drawing.add(`<path d="${start}${outward(1)}${homeward(0)}Z" fill="${shade(leaf.tone, 1.12)}" opacity="0.65"/>`)
  const vein = round(Math.max(0.6, scale * 0.005))
  drawing.add(`<path d="${start}${outward(0)}" fill="none" stroke="${stem}" stroke-width="${vein}" opacity="0.7"/>`)
}

function toText(...spots: readonly Spot[]): string {
  return spots.map(([x, y]) => `${round(x)} ${round(y)}`).join(' ')
}

type PlantKind = 'fig' | 'snake' | 'strelitzia' | 'fern'

/** Leaves that rise from a pot whose rim is at `y`. */
export function plant(kind: PlantKind, y: number, size: number, random: Random, x = 0, z = 0): Part {
  const leaves = growers[kind](y, size, random).map(({ root, tip, width, tone, bend }) => ({
    root: moved(root, x, z),
    tip: moved(tip, x, z),
    width,
    tone,
    bend,
  }))
  const stem = { fig: '#7c9a6a', snake: '#c9cf8f', strelitzia: '#8fae7c', fern: '#86a766' }[kind]
  return {
    kind: 'free',
    at: [x, y + size / 2, z],
    layer: 8,
    shadow: leaves.flatMap((leaf) => [leaf.root, leaf.tip]),
    draw(stage, toWorld) {
      const sorted = [...leaves].sort(
        (a, b) => stage.camera.distanceTo(toWorld(b.tip)) - stage.camera.distanceTo(toWorld(a.tip)),
      )
      if (kind === 'fig') {
        const [x1, y1] = stage.camera.project(toWorld([x, y, z]))
        const [x2, y2] = stage.camera.project(toWorld([x, y + size * 0.85, z]))
        stage.drawing.add(
          `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" stroke="#6d5844" stroke-width="${round(stage.camera.scaleAt(toWorld([x, y, z])) * 0.028)}" stroke-linecap="round"/>`,
        )
      }
      for (const leaf of sorted) drawLeaf(stage, leaf, toWorld, stem)
    },
  }
}

function moved(point: Point, x: number, z: number): Point {
  return [point[0] + x, point[1], point[2] + z]
}

const growers: Record<PlantKind, (y: number, size: number, random: Random) => Leaf[]> = {
  fig: (y, size, random) =>
    Array.from({ length: 22 }, (_, index): Leaf => {
      const height = y + size * (0.22 + (index / 22) * 0.72)
      const angle = index * 2.4 + random.between(-0.3, 0.3)
      const reach = size * random.between(0.22, 0.34) * (1.1 - index / 40)
      return {
        root: [0, height, 0],
        tip: [Math.cos(angle) * reach, height + size * random.between(0, 0.16), Math.sin(angle) * reach],
        width: size * 0.1,
        tone: shade(random.pick(['#4f7d52', '#5a8a58', '#457048']), random.between(0.85, 1.08)),
        bend: size * 0.05,
      }
    }),
  snake: (y, size, random) =>
    Array.from({ length: 13 }, (): Leaf => {
      const angle = random.between(0, Math.PI * 2)
      const spread = random.between(0.02, 0.16) * size
      return {
        root: [Math.cos(angle) * spread * 0.5, y, Math.sin(angle) * spread * 0.5],
        tip: [Math.cos(angle) * spread * 1.6, y + size * random.between(0.6, 1), Math.sin(angle) * spread * 1.6],
        width: size * 0.055,
        tone: shade(random.pick(['#5c8560', '#6d966a', '#4c7453']), random.between(0.88, 1.06)),
        bend: 0,
      }
    }),
  strelitzia: (y, size, random) =>
    Array.from({ length: 12 }, (_, index): Leaf => {
      const angle = index * 2.1 + random.between(-0.3, 0.3)
      const reach = size * random.between(0.18, 0.42)
      const height = y + size * random.between(0.55, 1)
      return {
        root: [Math.cos(angle) * reach * 0.25, y + size * 0.12, Math.sin(angle) * reach * 0.25],
        tip: [Math.cos(angle) * reach, height, Math.sin(angle) * reach],
        width: size * 0.085,
        tone: shade(random.pick(['#55875e', '#64976a', '#487852']), random.between(0.86, 1.06)),
        bend: size * 0.1,
      }
    }),
  fern: (y, size, random) =>
    Array.from({ length: 26 }, (_, index): Leaf => {
      const angle = index * 2.4
      const reach = size * random.between(0.4, 0.75)
      return {
        root: [0, y, 0],
        tip: [Math.cos(angle) * reach, y + size * random.between(-0.15, 0.5), Math.sin(angle) * reach],
        width: size * 0.07,
        tone: shade(random.pick(['#6d9a5b', '#5d8b52', '#7fa868']), random.between(0.86, 1.08)),
        bend: size * 0.3,
      }
    }),
}

export function potted(kind: Parameters<typeof plant>[0], size: number, pot: string, random: Random): Part[] {
  const height = kind === 'snake' ? 0.3 : 0.34
  return [...floorPot(pot, kind === 'fig' ? 0.2 : 0.18, height), plant(kind, height, size, random)]
}
