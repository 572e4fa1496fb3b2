import { HEIGHT, type Spot, WIDTH } from './camera.ts'

type Stop = readonly [offset: number, color: string, opacity?: number]

/** SVG text in the making. Later pieces cover earlier ones. */
export type Drawing = {
  add(svg: string): void
  /** Each returns a `url(#…)` to fill with. */
  linear(from: Spot, to: Spot, stops: readonly Stop[]): string
  radial(center: Spot, radius: number, stops: readonly Stop[]): string
  /** Draws what `work` adds inside an outline only. */
  clipped(outline: string, work: () => void): void
  group(attributes: string, work: () => void): void
  toSvg(width: number, height: number): string
}

export function createDrawing(): Drawing {
  const body: string[] = []
  const defs: string[] = []
  const name = () => `d${defs.length}`

  function gradient(kind: 'linear' | 'radial', place: string, stops: readonly Stop[]): string {
    const id = name()
    const colors = stops.map(
      ([offset, color, opacity = 1]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`,
    )
    defs.push(
      `<${kind}Gradient id="${id}" gradientUnits="userSpaceOnUse" ${place}>${colors.join('')}</${kind}Gradient>`,
    )
    return `url(#${id})`
  }

  const drawing: Drawing = {
    add: (svg) => body.push(svg),
    linear: ([x1, y1], [x2, y2], stops) =>
      gradient('linear', `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`, stops),
    radial: ([x, y], radius, stops) =>
      gradient('radial', `cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"`, stops),
    clipped(outline, work) {
      const id = name()
      defs.push(`<clipPath id="${id}"><path d="${outline}"/></clipPath>`)
      drawing.group(`clip-path="url(#${id})"`, work)
    },
    group(attributes, work) {
      body.push(`<g ${attributes}>`)
      work()
      body.push('</g>')
    },
    toSvg: (width, height) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice"><defs><filter id="soft" filterUnits="userSpaceOnUse" x="-40" y="380" width="1280" height="460"><feGaussianBlur stdDeviation="9"/></filter>${defs.join('')}</defs>${body.join('')}</svg>`,
  }
  return drawing
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

export function toPath(spots: readonly Spot[]): string {
  return spots.length === 0 ? '' : `M${spots.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`
}

/** Empty when nothing of it would be seen: the renderer would otherwise work on all that lies beside the picture. */
export function polygon(spots: readonly Spot[], attributes: string): string {
  return spots.length < 3 || isOutside(spots) ? '' : `<path d="${toPath(spots)}" ${attributes}/>`
}

export function isOutside(spots: readonly Spot[]): boolean {
  return (
    spots.every(([x]) => x < 0) ||
    spots.every(([x]) => x > WIDTH) ||
    spots.every(([, y]) => y < 0) ||
    spots.every(([, y]) => y > HEIGHT)
  )
}

export function rect(x: number, y: number, width: number, height: number, attributes: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ${attributes}/>`
}

export function ellipse([x, y]: Spot, rx: number, ry: number, attributes: string): string {
  return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(rx)}" ry="${round(ry)}" ${attributes}/>`
}

/** The smallest convex outline around spots (Andrew's monotone chain). */
export function toHull(spots: readonly Spot[]): Spot[] {
  const sorted = [...spots].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  return [...toHalfHull(sorted), ...toHalfHull(sorted.toReversed())]
}

function toHalfHull(points: readonly Spot[]): Spot[] {
  const chain: Spot[] = []
  for (const point of points) {
    while (chain.length >= 2 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop()
    chain.push(point)
  }
  return chain.slice(0, -1)
}

function turn(a: Spot | undefined, b: Spot | undefined, c: Spot): number {
  return a && b ? (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) : 0
}
