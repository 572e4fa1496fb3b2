import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { createId } from '../ids.ts'
import { toSlug } from '../modules/pods/slug.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { demoLocations } from './demo-locations.ts'
import type { DemoPod } from './demo-pods.ts'
import { countPictures, drawRoom } from './pictures/draw-room.ts'

const WIDTH = 1200
const HEIGHT = 800
const THUMBNAIL_WIDTH = 400
const PLACEHOLDER_WIDTH = 16
/** As many at a time as keep two processors busy; the drawing itself is done between them. */
const AT_A_TIME = 3

/** A row of the table `images`. */
export type StoredPicture = {
  id: string
  url: string
  thumbnail_url: string
  placeholder: string
  width: number
  height: number
}

type Order = { pod: DemoPod; index: number }

/** Draws at most `most` pictures of each pod and stores them, the same ones under the same names on every run. */
export async function storePodPictures(
  storage: ImageStorage,
  pods: readonly DemoPod[],
  most: number,
): Promise<Map<DemoPod, StoredPicture[]>> {
  const orders = pods.flatMap((pod) =>
    Array.from({ length: Math.min(most, countPictures(pod.kind)) }, (_, index) => ({ pod, index })),
  )
  const stored = new Map<DemoPod, StoredPicture[]>(pods.map((pod) => [pod, []]))
  const waiting = orders.values()
  // Each worker takes the next order from the one queue.
  const work = async () => {
    for (const order of waiting) {
      const picture = await storePicture(storage, order)
      const pictures = stored.get(order.pod)
      if (pictures) pictures[order.index] = picture
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return stored
}

async function storePicture(storage: ImageStorage, { pod, index }: Order): Promise<StoredPicture> {
  const svg = drawRoom(
    { slug: toSlug(pod.title), kind: pod.kind, seats: pod.seats, sights: toSights(pod) },
    index,
    WIDTH,
    HEIGHT,
  )
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixels = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  const full = await pixels().webp({ quality: 82, effort: 2 }).toBuffer()
  const thumbnail = await pixels().resize({ width: THUMBNAIL_WIDTH }).webp({ quality: 66, effort: 2 }).toBuffer()
  const tiny = await pixels().resize({ width: PLACEHOLDER_WIDTH }).webp({ quality: 40 }).toBuffer()
  // Named by what is on it: a browser that keeps a picture for a year is never shown an outdated one.
  const name = createHash('sha256').update(full).digest('hex').slice(0, 32)
  await storage.put(`${name}.webp`, full, 'image/webp')
  await storage.put(`${name}-thumbnail.webp`, thumbnail, 'image/webp')
  return {
    id: createId(),
    url: `/uploads/${name}.webp`,
    thumbnail_url: `/uploads/${name}-thumbnail.webp`,
    placeholder: `data:image/webp;base64,${tiny.toString('base64')}`,
    width: info.width,
    height: info.height,
  }
}

function toSights(pod: DemoPod) {
  const location = demoLocations.find(({ key }) => key === pod.location)
  if (!location) throw new Error(`The demo has no location "${pod.location}"`)
  return location.sights
}
