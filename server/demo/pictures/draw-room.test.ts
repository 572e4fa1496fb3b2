import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { toSlug } from '#server/modules/pods/slug.ts'
import { demoLocations } from '../demo-locations.ts'
import { demoPods } from '../demo-pods.ts'
import { countPictures, drawRoom } from './draw-room.ts'
import { looks } from './scenes/looks.ts'

const briefs = demoPods.flatMap((pod) => {
  const location = demoLocations.find(({ key }) => key === pod.location)
  if (!location) throw new Error(`${pod.title} is nowhere`)
  const brief = { slug: toSlug(pod.title), kind: pod.kind, seats: pod.seats, sights: location.sights }
  return Array.from({ length: countPictures(pod.kind) }, (_, index) => ({ brief, index }))
})

describe('pictures of rooms', () => {
  it('are two or three of each pod, every one different, and the same on every run', () => {
    const drawn = briefs.map(({ brief, index }) => drawRoom(brief, index, 1200, 800))
    expect(new Set(drawn).size).toBe(briefs.length)
    expect(briefs.length).toBeGreaterThanOrEqual(2 * demoPods.length)
    expect(briefs.map(({ brief, index }) => drawRoom(brief, index, 1200, 800))).toEqual(drawn)
    for (const svg of drawn) expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('have a look of their own for each pod', () => {
    for (const { brief } of briefs) expect(looks).toHaveProperty(brief.slug)
  })

  it('fill the frame with many colours', async () => {
    const { brief } = briefs[0] ?? { brief: undefined }
    if (!brief) throw new Error('There are no pods')
    const { data, info } = await sharp(Buffer.from(drawRoom(brief, 0, 300, 200)))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colors = new Set<number>()
    for (let at = 0; at < data.length; at += info.channels) colors.add(data.readUIntBE(at, 3))
    expect(info).toMatchObject({ width: 300, height: 200 })
    expect(colors.size).toBeGreaterThan(5000)
  })

  it('can be drawn for a pod that is not of the demo', () => {
    const svg = drawRoom({ slug: 'anywhere', kind: 'focus', seats: 1, sights: 'ocean' }, 0, 1200, 800)
    expect(svg).toMatch(/^<svg .*<\/svg>$/s)
  })
})
