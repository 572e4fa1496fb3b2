import type { Random } from '#server/demo/seeded-random.ts'
import type { Camera, Point } from '../camera.ts'
import { type Drawing, polygon } from '../drawing.ts'
import { type Light, toUnit } from '../solids.ts'
import type { Hour, Sights } from '../views/view.ts'

export type WallSide = 'back' | 'left' | 'right'

export type WallFinish = 'paint' | 'slats' | 'felt' | 'brick' | 'cork' | 'panelled' | 'dado'

export type FloorFinish = 'planks' | 'concrete' | 'carpet' | 'tiles' | 'herringbone'

/** An opening in a wall: u along it from its left or far end, v up from the floor, in metres. */
export type WindowPlan = {
  wall: WallSide
  u: readonly [number, number]
  v: readonly [number, number]
  panes: readonly [columns: number, rows: number]
  shape?: 'square' | 'arch' | 'round'
  frame: string
}

export type Palette = {
  wall: string
  accent: string
  wood: string
  floor: string
  textile: string
  metal: string
  ceiling: string
}

export type RoomPlan = {
  width: number
  depth: number
  height: number
  palette: Palette
  floor: FloorFinish
  walls: Record<WallSide, { finish: WallFinish; color: string }>
  windows: readonly WindowPlan[]
  sights: Sights
  ceilingLights: readonly { x: readonly [number, number]; z: readonly [number, number] }[]
}

export type RoomStage = {
  drawing: Drawing
  camera: Camera
  light: Light
  room: RoomPlan
  hour: Hour
  random: Random
  seed: string
}

/** How far behind the camera walls and floor go on. */
export const BEHIND = -4

/** A point on a wall: u metres along, v up, `out` into the room (negative: into the wall). */
export function wallPoint(room: RoomPlan, wall: WallSide, u: number, v: number, out = 0): Point {
  if (wall === 'back') return [u, v, room.depth - out]
  return wall === 'left' ? [out, v, u] : [room.width - out, v, u]
}

export function inwardOf(wall: WallSide): Point {
  if (wall === 'back') return [0, 0, -1]
  return wall === 'left' ? [1, 0, 0] : [-1, 0, 0]
}

export function wallEnds(room: RoomPlan, wall: WallSide): readonly [number, number] {
  return wall === 'back' ? [0, room.width] : [BEHIND, room.depth]
}

export function wallQuad(
  stage: RoomStage,
  wall: WallSide,
  u: readonly [number, number],
  v: readonly [number, number],
  out: number,
  attributes: string,
): void {
  const { room } = stage
  const points = [
    wallPoint(room, wall, u[0], v[0], out),
    wallPoint(room, wall, u[1], v[0], out),
    wallPoint(room, wall, u[1], v[1], out),
    wallPoint(room, wall, u[0], v[1], out),
  ]
  stage.drawing.add(polygon(stage.camera.outline(points), attributes))
}

export function nearestEnd(stage: RoomStage, wall: WallSide): number {
  return wall === 'back' ? 0 : stage.camera.at[2]
}

/** Towards the sun as it stands outside these windows. */
export function toLight(room: RoomPlan, hour: Hour, side: number): Light {
  const wall = room.windows[0]?.wall ?? 'back'
  const height = { morning: 0.75, noon: 1.5, golden: 0.62, dusk: 1.2 }[hour]
  const across = side * 0.45
  const toward: Point = wall === 'back' ? [across, height, 0.85] : [wall === 'left' ? -0.85 : 0.85, height, 0.25]
  const [ambient, strength] = { morning: [0.85, 0.22], noon: [0.89, 0.18], golden: [0.82, 0.26], dusk: [0.7, 0.18] }[
    hour
  ] as [number, number] // the table has every hour
  return { toward: toUnit(toward), ambient, strength }
}
