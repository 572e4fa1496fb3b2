export type Coordinates = { latitude: number; longitude: number }

/** Coordinates found in a text; undefined when there are none. */
type FoundCoordinates = Coordinates | 'off the globe' | undefined

const NUMBER = String.raw`([-+]?\d{1,3}(?:\.\d+)?)`
const BETWEEN = String.raw`\s*[,;\s/]\s*`
const pair = new RegExp(`${NUMBER}${BETWEEN}${NUMBER}`)
const wholePair = new RegExp(String.raw`^[(\[]?\s*${NUMBER}°?${BETWEEN}${NUMBER}°?\s*[)\]]?$`)

/** Query parameters in which maps give a place, the most exact first. */
const placeParams = ['q', 'query', 'll', 'sll', 'coordinate', 'destination', 'daddr', 'center', 'cp', 'viewpoint']

/**
 * Finds coordinates in decimal degrees, latitude first ("-33.9, 18.4"), or those in a link of Google Maps,
 * OpenStreetMap, Apple Maps and others with the same parameters. Prefers a place's coordinates to the map's centre.
 */
export function parseCoordinates(text: string): FoundCoordinates {
  const trimmed = text.trim()
  return toCoordinates(wholePair.exec(trimmed)) ?? parseLink(trimmed)
}

/** Returns whether a link is a short link, which has no coordinates but redirects to a map that has. */
export function isShortLink(text: string): boolean {
  return /(?:maps\.app\.goo\.gl|goo\.gl\/maps|osm\.org\/go|openstreetmap\.org\/go|maps\.apple(?:\.com)?\/p\/)/i.test(
    text,
  )
}

function parseLink(text: string): FoundCoordinates {
  const url = toUrl(text)
  if (!url) return undefined
  const { searchParams } = url
  const path = decode(url.pathname)
  const places = [
    /!3d([-+]?\d+(?:\.\d+)?)!4d([-+]?\d+(?:\.\d+)?)/.exec(decode(url.href)),
    toPair(searchParams.get('mlat'), searchParams.get('mlon')),
    ...placeParams.map((name) => new RegExp(`^(?:loc:)?${pair.source}`).exec(searchParams.get(name)?.trim() ?? '')),
    new RegExp(String.raw`/(?:place|search|dir)/(?:[^/]*/)?${pair.source}`).exec(path),
    new RegExp(`@${pair.source}`).exec(path),
    new RegExp(String.raw`map=[\d.]+/${NUMBER}/${NUMBER}`).exec(decode(url.hash)),
    new RegExp(`^geo:${pair.source}`, 'i').exec(url.href),
  ]
  const found = places.map(toCoordinates).filter((place) => place !== undefined)
  return found.find((place) => place !== 'off the globe') ?? found[0]
}

function toUrl(text: string): URL | undefined {
  if (URL.canParse(text)) return new URL(text)
  const withScheme = `https://${text}`
  return /^[\w-]+(\.[\w-]+)+\//.test(text) && URL.canParse(withScheme) ? new URL(withScheme) : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function toPair(latitude: string | null, longitude: string | null): [string, string, string] | null {
  return latitude === null || longitude === null ? null : ['', latitude, longitude]
}

function toCoordinates(match: readonly (string | undefined)[] | null): FoundCoordinates {
  const [, first = '', second = ''] = match ?? []
  const latitude = Number(first)
  const longitude = Number(second)
  if (first.trim() === '' || second.trim() === '' || Number.isNaN(latitude) || Number.isNaN(longitude)) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : 'off the globe'
}
