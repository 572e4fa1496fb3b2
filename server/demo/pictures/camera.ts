/** Metres: x to the right, y up, z into the room. */
export type Point = readonly [x: number, y: number, z: number]
/** Units of the picture, 1200 × 800, y down. */
export type Spot = readonly [x: number, y: number]

export const WIDTH = 1200
export const HEIGHT = 800

export type CameraPlace = {
  at: Point
  /** Degrees to the right. The camera is always level, so that walls stay upright. */
  yaw: number
  /** In units of the picture; 800 is a wide lens, 1400 looks at a part. */
  focal: number
  /** Where eye level lies in the picture, from the top. */
  horizon: number
}

export type Camera = {
  at: Point
  horizon: number
  project(point: Point): Spot
  /** Units of the picture for a metre at that point. */
  scaleAt(point: Point): number
  distanceTo(point: Point): number
  /** A polygon as seen, cut off where it passes behind the camera; empty when all of it does. */
  outline(points: readonly Point[]): Spot[]
}

const NEAREST = 0.12

export function createCamera({ at, yaw, focal, horizon }: CameraPlace): Camera {
  const cos = Math.cos((yaw * Math.PI) / 180)
  const sin = Math.sin((yaw * Math.PI) / 180)
  const toView = (point: Point): Point => {
    const dx = point[0] - at[0]
    const dz = point[2] - at[2]
    return [dx * cos - dz * sin, point[1] - at[1], dx * sin + dz * cos]
  }
  const toSpot = ([x, y, depth]: Point): Spot => {
    const near = Math.max(depth, NEAREST)
    return [WIDTH / 2 + (focal * x) / near, horizon - (focal * y) / near]
  }
  return {
    at,
    horizon,
    project: (point) => toSpot(toView(point)),
    scaleAt: (point) => focal / Math.max(toView(point)[2], NEAREST),
    distanceTo: (point) => Math.hypot(point[0] - at[0], point[1] - at[1], point[2] - at[2]),
    outline: (points) => clipNear(points.map(toView)).map(toSpot),
  }
}

/** Sutherland–Hodgman against the one plane that matters. */
function clipNear(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  for (const [index, point] of points.entries()) {
    const before = points[(index + points.length - 1) % points.length] ?? point
    const crosses = before[2] >= NEAREST !== point[2] >= NEAREST
    if (crosses) {
      const share = (NEAREST - before[2]) / (point[2] - before[2])
      kept.push([before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share, NEAREST])
    }
    if (point[2] >= NEAREST) kept.push(point)
  }
  return kept
}
