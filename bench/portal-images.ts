import sharp from 'sharp'
import type { Pod } from '#contract/pods.ts'
import { routes } from '#contract/routes.ts'
import type { UploadedImage } from '#contract/uploads.ts'
import type { Portal } from './portal-browser.ts'
import { kilobytes, type Row, toRow } from './report.ts'

const PODS = 100
/** Of each page of the list. */
const ROWS = 10
const A_YEAR = 31_536_000

/** Measures everything that is transferred for ten pages of pods, each with its own image and scrolled to its end. */
export async function measurePodList(portal: Portal): Promise<Row[]> {
  await createPods(portal)
  // Not the dashboard, which shows the newest pods too: their images would come from the cache.
  const { page, settle, takeLoaded, close } = await portal.openPage('/features')
  await takeLoaded()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pods', exact: true }).click()
  const rows = page.getByRole('table', { name: 'Pods' }).locator('tbody tr:not([aria-hidden])')
  for (let seen = 0; seen < PODS; seen += ROWS) {
    if (seen > 0) await page.getByRole('button', { name: 'Next page of Pods' }).click()
    await rows.filter({ hasText: `Pod ${PODS - seen - ROWS}` }).waitFor()
    for (const row of await rows.all()) await row.scrollIntoViewIfNeeded()
    await settle()
  }
  const loaded = await takeLoaded()
  await close()
  const images = loaded.filter(({ kind }) => kind === 'image')
  if (images.length < PODS) throw new Error(`The list of pods showed ${images.length} pictures`)
  for (const { url, cacheControl } of images) {
    if (!url.endsWith('-thumbnail.webp')) throw new Error(`${url} is no thumbnail`)
    const seconds = Number(/max-age=(\d+)/.exec(cacheControl)?.[1])
    if (!cacheControl.includes('immutable') || seconds < A_YEAR) throw new Error(`${url} is kept ${cacheControl}`)
  }
  const sum = (some: typeof loaded) => some.reduce((bytes, one) => bytes + one.bytes, 0)
  return [
    toRow({
      what: `portal: ${PODS} pods, page by page, ${kilobytes(sum(images))} of it generated pictures, ${kilobytes(sum(images) / images.length)} each`,
      product: sum(loaded),
      limit: 1_000_000,
      show: kilobytes,
    }),
  ]
}

/** Creates copies of an existing pod, each with a unique image. */
async function createPods({ url, token }: Portal): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const request = async <T>(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`${url}/api${path}`, { ...init, headers: { ...headers, ...init.headers } })
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
    return (await response.json()) as T // as the contract has it
  }
  const [pod] = await request<Pod[]>(`${routes.pods.list.path}?page=1&limit=1`)
  if (!pod) throw new Error('There is no pod to make others of')
  for (let number = 0; number < PODS; number++) {
    const form = new FormData()
    form.append('images', new Blob([new Uint8Array(await drawImage(number))], { type: 'image/jpeg' }), `${number}.jpg`)
    const { files } = await request<{ files: UploadedImage[] }>(routes.uploads.create.path, {
      method: 'POST',
      body: form,
    })
    await request(routes.pods.create.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...pod, title: `Pod ${number}`, password: 'of no account', images: files }),
    })
  }
}

const WIDTH = 1200
const HEIGHT = 800

/**
 * The factor by which finer noise is fainter, which determines the file size: at 0.5 a thumbnail of 480 pixels has 14
 * kB (at 1 it would have 4 kB), while those of the demo data's drawings have 11 kB on average. No photograph was
 * measured.
 */
const FINENESS = 0.5

/** Draws noise of every scale, because regular shapes would compress too well. */
async function drawImage(seed: number): Promise<Buffer> {
  const random = createRandom(seed + 1)
  const sum = new Float32Array(WIDTH * HEIGHT * 3)
  for (let cells = 3; cells <= WIDTH; cells *= 2) {
    const height = Math.ceil((cells * HEIGHT) / WIDTH)
    const noise = Buffer.from(Array.from({ length: cells * height * 3 }, () => Math.floor(random() * 256)))
    const layer = await sharp(noise, { raw: { width: cells, height, channels: 3 } })
      .resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'cubic' })
      .raw()
      .toBuffer()
    for (let index = 0; index < sum.length; index++)
      sum[index] = (sum[index] ?? 0) + ((layer[index] ?? 0) - 128) / cells ** FINENESS
  }
  const pixels = Buffer.from(sum.map((value) => Math.max(0, Math.min(255, 128 + 1.2 * value))))
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

/** Returns a seeded generator, so that every run has the same images. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
