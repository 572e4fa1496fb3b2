/** Colours are '#rrggbb'. They are mixed and shaded in OKLab, where a darker red is still that red. */
type Lab = readonly [lightness: number, a: number, b: number]

const cache = new Map<string, Lab>()

export function mix(from: string, to: string, share: number): string {
  const a = toLab(from)
  const b = toLab(to)
  return toHex([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share])
}

/** 1 leaves the colour; less darkens and cools it, more lightens and warms it, as light does. */
export function shade(color: string, light: number): string {
  const [lightness, a, b] = toLab(color)
  if (light <= 1) {
    const dark = 1 - light
    return toHex([
      lightness * (1 - dark * 0.86),
      a * (1 - dark * 0.25) + dark * 0.006,
      b * (1 - dark * 0.35) - dark * 0.012,
    ])
  }
  const bright = Math.min(1, light - 1)
  return toHex([
    lightness + (0.985 - lightness) * bright * 0.75,
    a * (1 - bright * 0.4),
    b * (1 - bright * 0.35) + bright * 0.014,
  ])
}

function toLab(hex: string): Lab {
  const known = cache.get(hex)
  if (known) return known
  const [r, g, b] = [1, 3, 5].map((at) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number,
  ] // three in, three out
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lab: Lab = [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
  cache.set(hex, lab)
  return lab
}

function toHex([lightness, a, b]: Lab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return `#${channels.map((channel) => toByte(channel).toString(16).padStart(2, '0')).join('')}`
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function toByte(linear: number): number {
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
}
