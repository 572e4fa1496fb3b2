import type { Camera, Point, Spot } from './camera.ts'
import type { Drawing } from './drawing.ts'

export type Light = {
  /** Unit vector towards where the light comes from. */
  toward: Point
  ambient: number
  strength: number
}

export type Stage = { drawing: Drawing; camera: Camera; light: Light }

type Face = { points: readonly Point[]; color: string }

/** A piece of a thing, in the thing's own metres: drawn by its faces, as a rod, or by itself. */
export type Part =
  | { kind: 'mesh'; faces: readonly Face[]; softness: number; glows: boolean; layer: number }
  | { kind: 'rod'; from: Point; to: Point; thickness: number; color: string; layer: number }
  | { kind: 'free'; at: Point; layer: number; shadow?: readonly Point[]; draw(stage: Stage, toWorld: ToWorld): void }

export type ToWorld = (point: Point) => Point

/** Where a thing stands; `turn` in degrees, 0 facing the camera side (its front towards −z). */
export type Placement = { x: number; z: number; y?: number; turn?: number }

type Range = readonly [from: number, to: number]

type Finish = { softness?: number; glows?: boolean; layer?: number }

export function block(x: Range, y: Range, z: Range, color: string, finish: Finish = {}): Part {
  const s = finish.softness ?? 0
  const [x0, x1] = [x[0] + s, x[1] - s]
  const [y0, y1] = [y[0] + s, y[1] - s]
  const [z0, z1] = [z[0] + s, z[1] - s]
  const corner = (a: number, b: number, c: number): Point => [a === 0 ? x0 : x1, b === 0 ? y0 : y1, c === 0 ? z0 : z1]
  const faces = [
    [corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0)],
    [corner(1, 0, 1), corner(0, 0, 1), corner(0, 1, 1), corner(1, 1, 1)],
    [corner(0, 0, 1), corner(0, 0, 0), corner(0, 1, 0), corner(0, 1, 1)],
    [corner(1, 0, 0), corner(1, 0, 1), corner(1, 1, 1), corner(1, 1, 0)],
    [corner(0, 1, 0), corner(1, 1, 0), corner(1, 1, 1), corner(0, 1, 1)],
    [corner(0, 0, 1), corner(1, 0, 1), corner(1, 0, 0), corner(0, 0, 0)],
  ]
  return toMesh(faces, color, finish)
}

/** A convex profile in (z, y), counter-clockwise seen from −x … stretched from x[0] to x[1]. */
export function prism(profile: readonly Spot[], x: Range, color: string, finish: Finish = {}): Part {
  const side = (at: number) => profile.map(([z, y]): Point => [at, y, z])
  const near = side(x[0])
  const far = side(x[1])
  const around = profile.map((_, index) => {
    const next = (index + 1) % profile.length
    return [near[index], near[next], far[next], far[index]].filter((point) => point !== undefined)
  })
  return toMesh([near.toReversed(), far, ...around], color, finish)
}

/** A round body that stands upright: radius by height, from the bottom up. */
export function turned(
  at: readonly [x: number, z: number],
  rings: readonly (readonly [height: number, radius: number])[],
  color: string,
  finish: Finish = {},
): Part {
  const sides = 28
  const ring = (height: number, radius: number): Point[] =>
    Array.from({ length: sides }, (_, index) => {
      const angle = (index / sides) * 2 * Math.PI
      return [at[0] + Math.cos(angle) * radius, height, at[1] + Math.sin(angle) * radius]
    })
  const circles = rings.map(([height, radius]) => ring(height, radius))
  const faces: Point[][] = []
  for (const [level, lower] of circles.slice(0, -1).entries()) {
    const upper = circles[level + 1] ?? lower
    for (const [index, a] of lower.entries()) {
      const next = (index + 1) % sides
      const quad = [a, upper[index], upper[next], lower[next]].filter((point) => point !== undefined)
      faces.push(quad)
    }
  }
  const top = circles.at(-1)
  const bottom = circles[0]
  if (top) faces.push(top.toReversed())
  if (bottom) faces.push(bottom)
  return toMesh(faces, color, finish)
}

export function rod(from: Point, to: Point, thickness: number, color: string, layer = 0): Part {
  return { kind: 'rod', from, to, thickness, color, layer }
}

function toMesh(faces: readonly (readonly Point[])[], color: string, finish: Finish): Part {
  const middle = meanOf(faces.flat())
  // Every piece bulges outwards: a face whose normal points inwards was only listed the other way round.
  const outward = (points: readonly Point[]) => {
    const at = meanOf(points)
    const away: Point = [at[0] - middle[0], at[1] - middle[1], at[2] - middle[2]]
    return dot(normalOf(points), away) < 0 ? points.toReversed() : points
  }
  return {
    kind: 'mesh',
    faces: faces.map((points) => ({ points: outward(points), color })),
    softness: finish.softness ?? 0,
    glows: finish.glows ?? false,
    layer: finish.layer ?? 0,
  }
}

export function toWorldOf({ x, z, y = 0, turn = 0 }: Placement): ToWorld {
  const cos = Math.cos((turn * Math.PI) / 180)
  const sin = Math.sin((turn * Math.PI) / 180)
  return ([px, py, pz]) => [x + px * cos - pz * sin, y + py, z + px * sin + pz * cos]
}

export function pointsOf(part: Part): readonly Point[] {
  if (part.kind === 'mesh') return part.faces.flatMap((face) => face.points)
  return part.kind === 'rod' ? [part.from, part.to] : (part.shadow ?? [])
}

export function lightOn(light: Light, normal: Point): number {
  return light.ambient + light.strength * Math.max(0, dot(normal, light.toward)) + 0.06 * normal[1]
}

export function normalOf(points: readonly Point[]): Point {
  // Newell's method: right for any polygon, also one with repeated points.
  const sum = [0, 0, 0]
  for (const [index, a] of points.entries()) {
    const b = points[(index + 1) % points.length] ?? a
    sum[0] = (sum[0] ?? 0) + (a[1] - b[1]) * (a[2] + b[2])
    sum[1] = (sum[1] ?? 0) + (a[2] - b[2]) * (a[0] + b[0])
    sum[2] = (sum[2] ?? 0) + (a[0] - b[0]) * (a[1] + b[1])
  }
  return toUnit([sum[0] ?? 0, sum[1] ?? 0, sum[2] ?? 0])
}

export function toUnit([x, y, z]: Point): Point {
  const length = Math.hypot(x, y, z) || 1
  return [x / length, y / length, z / length]
}

export function meanOf(points: readonly Point[]): Point {
  const sum = points.reduce<Point>((all, point) => [all[0] + point[0], all[1] + point[1], all[2] + point[2]], [0, 0, 0])
  const count = points.length || 1
  return [sum[0] / count, sum[1] / count, sum[2] / count]
}

export function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
