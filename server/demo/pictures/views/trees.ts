import type { Spot } from '../camera.ts'
import { mix, shade } from '../color.ts'
import { ellipse, rect, round } from '../drawing.ts'
import { type Painter, place, toned } from './view.ts'

export function paintTrees(painter: Painter, { y, tone, height }: { y: number; tone: string; height: number }): void {
  paintCrowns(painter, y, height, [tone, shade(tone, 0.88), shade(tone, 1.1), mix(tone, '#8a9a4f', 0.3)])
}

export function paintBlossom(painter: Painter, y: number, height: number): void {
  paintCrowns(painter, y, height, ['#9b7fc4', '#a98dd0', '#8b6db8', '#b9a0dc', '#9574c2'])
}

/** A row of tree crowns: dark below, lit above. */
function paintCrowns(painter: Painter, y: number, height: number, tones: readonly string[]): void {
  const { drawing, random, frame } = painter
  const far = Math.max(0, 0.22 - y * 0.5)
  const [, ground] = place(painter, 0, y)
  drawing.add(rect(-400, ground, 2000, 1200, `fill="${toned(painter, shade(tones[0] ?? '#557755', 0.7), far)}"`))
  for (let x = -1.4; x < 1.4; x += height * random.between(0.4, 0.65)) {
    const tone = toned(painter, random.pick(tones), far)
    const [cx, cy] = place(painter, x, y)
    const size = height * frame.size * random.between(0.75, 1.2)
    for (const [dx, dy, r, light] of [
      [0, -0.1, 0.55, 0.8],
      [-0.32, -0.28, 0.4, 0.9],
      [0.3, -0.32, 0.42, 0.95],
      [0, -0.5, 0.42, 1.04],
      [-0.16, -0.56, 0.24, 1.15],
      [0.2, -0.5, 0.18, 1.1],
    ] as const) {
      drawing.add(ellipse([cx + dx * size, cy + dy * size], r * size, r * size * 0.85, `fill="${shade(tone, light)}"`))
    }
  }
}

export function paintPalms(painter: Painter, places: readonly number[], height: number): void {
  const { drawing, random, frame } = painter
  const s = frame.size
  for (const at of places) {
    const [x, base] = place(painter, at, 0.42)
    const size = height * s * random.between(0.85, 1.15)
    const lean = random.between(-0.1, 0.1) * size
    const top: Spot = [x + lean, base - size]
    drawing.add(
      `<path d="M${round(x)} ${round(base)}Q${round(x)} ${round(base - size * 0.5)} ${round(top[0])} ${round(top[1])}" fill="none" stroke="${toned(painter, '#7d6550', 0.05)}" stroke-width="${round(size * 0.035)}"/>`,
    )
    for (let leaf = 0; leaf < 13; leaf += 1) {
      const angle = (leaf / 13) * Math.PI * 2 + random.between(-0.12, 0.12)
      const reach = size * random.between(0.3, 0.42)
      const tip: Spot = [top[0] + Math.cos(angle) * reach, top[1] + Math.sin(angle) * reach * 0.55 + reach * 0.28]
      const bend: Spot = [top[0] + Math.cos(angle) * reach * 0.55, top[1] + Math.sin(angle) * reach * 0.5 - reach * 0.2]
      const tone = toned(painter, random.pick(['#4f7d4f', '#5f8c55', '#426b45']), 0.04)
      drawing.add(
        `<path d="M${round(top[0])} ${round(top[1])}Q${round(bend[0])} ${round(bend[1] - reach * 0.07)} ${round(tip[0])} ${round(tip[1])}Q${round(bend[0])} ${round(bend[1] + reach * 0.1)} ${round(top[0])} ${round(top[1])}Z" fill="${tone}"/>`,
      )
    }
  }
}
