import type { Camera, Point } from './camera.ts'
import { shade } from './color.ts'
import { type Drawing, isOutside, polygon, round, toHull } from './drawing.ts'
import { dot, type Light, lightOn, meanOf, normalOf, type Part, pointsOf, type Stage, type ToWorld } from './solids.ts'

/** Draws the parts of one thing, lower layers first and within a layer the farthest first. */
export function drawParts(stage: Stage, parts: readonly Part[], toWorld: ToWorld): void {
  const ordered = parts
    .map((part) => ({ part, distance: stage.camera.distanceTo(toWorld(centerOf(part))) }))
    .sort((a, b) => a.part.layer - b.part.layer || b.distance - a.distance)
  for (const { part } of ordered) drawPart(stage, part, toWorld)
}

function drawPart(stage: Stage, part: Part, toWorld: ToWorld): void {
  if (part.kind === 'free') part.draw(stage, toWorld)
  else if (part.kind === 'rod') drawRod(stage, toWorld(part.from), toWorld(part.to), part.thickness, part.color)
  else {
    for (const face of part.faces) {
      const points = face.points.map(toWorld)
      const normal = normalOf(points)
      if (!facesCamera(points, normal, stage.camera)) continue
      drawFace(stage, points, part.glows ? face.color : undefined, face.color, normal, part.softness)
    }
  }
}

function drawFace(
  { drawing, camera, light }: Stage,
  points: readonly Point[],
  glow: string | undefined,
  color: string,
  normal: Point,
  softness: number,
): void {
  const outline = camera.outline(points)
  if (isOutside(outline)) return
  const brightness = lightOn(light, normal)
  const middle = meanOf(points)
  const width = Math.max(0.8, softness * 2 * camera.scaleAt(middle))
  const fill = glow ?? fillOf(drawing, camera, points, color, brightness, light)
  // The stroke closes the seams between faces, and rounds the edges of what is soft.
  drawing.add(
    polygon(outline, `fill="${fill}" stroke="${fill}" stroke-width="${round(width)}" stroke-linejoin="round"`),
  )
}

/** Large faces are brighter on the side of the light. */
function fillOf(
  drawing: Drawing,
  camera: Camera,
  points: readonly Point[],
  color: string,
  brightness: number,
  light: Light,
): string {
  const toLight = (point: Point) => dot(point, light.toward)
  const sorted = [...points].sort((a, b) => toLight(a) - toLight(b))
  const dark = sorted[0]
  const bright = sorted.at(-1)
  if (!dark || !bright || toLight(bright) - toLight(dark) < 0.12) return shade(color, brightness)
  return drawing.linear(camera.project(dark), camera.project(bright), [
    [0, shade(color, brightness - 0.07)],
    [1, shade(color, brightness + 0.07)],
  ])
}

function drawRod({ drawing, camera }: Stage, from: Point, to: Point, thickness: number, color: string): void {
  const [x1, y1] = camera.project(from)
  const [x2, y2] = camera.project(to)
  const width = Math.max(0.8, thickness * camera.scaleAt(meanOf([from, to])))
  const line = (dx: number, share: number, stroke: string) =>
    `<path d="M${round(x1 + dx)} ${round(y1)}L${round(x2 + dx)} ${round(y2)}" stroke="${stroke}" stroke-width="${round(width * share)}" stroke-linecap="round"/>`
  drawing.add(line(0, 1, shade(color, 0.82)) + (width > 2.5 ? line(-width * 0.18, 0.4, shade(color, 1.12)) : ''))
}

/** What a thing keeps from the floor: the outline of every part, thrown along the light. */
export function shadowsOf({ camera, light }: Stage, parts: readonly Part[], toWorld: ToWorld): string[] {
  // A low sun would throw shadows across the room: they are shortened to what looks right.
  const reach = 0.55
  const fall = (point: Point): Point => [
    point[0] - (light.toward[0] / light.toward[1]) * point[1] * reach,
    0.002,
    point[2] - (light.toward[2] / light.toward[1]) * point[1] * reach,
  ]
  return parts.map((part) => {
    const points = pointsOf(part).map(toWorld)
    if (points.length === 0 || Math.max(...points.map((point) => point[1])) > 2.1) return ''
    const spots = camera.outline(points.map(fall))
    if (part.kind === 'rod') {
      const [a, b] = spots
      const width = part.thickness * camera.scaleAt(fall(meanOf(points)))
      return a && b
        ? `<path d="M${round(a[0])} ${round(a[1])}L${round(b[0])} ${round(b[1])}" stroke="#000" stroke-width="${round(width)}"/>`
        : ''
    }
    return polygon(toHull(spots), '')
  })
}

function centerOf(part: Part): Point {
  if (part.kind === 'free') return part.at
  return meanOf(pointsOf(part))
}

function facesCamera(points: readonly Point[], normal: Point, camera: Camera): boolean {
  const at = points[0]
  return at !== undefined && dot(normal, [camera.at[0] - at[0], camera.at[1] - at[1], camera.at[2] - at[2]]) > 0
}
