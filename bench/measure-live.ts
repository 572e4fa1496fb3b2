import { setMaxListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get as openStream } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { routes } from '#contract/routes.ts'
import { median, p95 } from './measure.ts'
import { type EngineReport, toRow } from './report.ts'
import { NOTHING_MORE, type Seeded, seed } from './seeded.ts'
import { type BenchServer, startProduct } from './servers.ts'
import { get, signIn } from './staff-requests.ts'

const LISTENERS = 500
/** The server closes the oldest stream of a session that opens more than this. */
const STREAMS_OF_SESSION = 20
const SECONDS = 20
const CHANGES_PER_SECOND = 10
const TICKS_PER_SECOND = 100

/** Measures what 500 open portals cost the server while colleagues make ten changes per second. */
export async function measureLive(): Promise<EngineReport> {
  const seeded = await seed(NOTHING_MORE)
  try {
    const alone = await measureChanges(seeded, 0)
    const heard = await measureChanges(seeded, LISTENERS)
    const streams = heard.core - alone.core
    return {
      engine: `live changes, embedded, ${LISTENERS} listeners`,
      rows: [
        {
          what: `processor for ${LISTENERS} listeners at ${CHANGES_PER_SECOND} changes/s`,
          reached: `${toPercent(streams)} of a core, beside ${toPercent(alone.core)} for the changes`,
          limit: '5 % of a core',
          ratio: streams / 0.05,
          aim: '≤ 1',
        },
        toRow({ what: 'from a change to the first listener, median', product: median(heard.first), limit: 1000 }),
        toRow({ what: 'until all have heard of it, p95', product: p95(heard.last), limit: 1000 }),
      ],
    }
  } finally {
    await seeded.remove()
  }
}

const toPercent = (share: number) => `${(share * 100).toFixed(1)} %`

type Measured = {
  /** Share of a processor core that the server used. */
  core: number
  /** Milliseconds from sending a change until the first and the last listener are told, for each change. */
  first: number[]
  last: number[]
}

async function measureChanges({ settings }: Seeded, listeners: number): Promise<Measured> {
  const server = await startProduct(settings)
  const streams = new AbortController()
  setMaxListeners(listeners, streams.signal)
  const heardAt: number[] = []
  try {
    const { token } = await signIn(server.url)
    const [feature] = (await get({ ...server, token }, routes.features.list.path)) as { _id: string }[] // by the contract
    if (!feature) throw new Error('The demo data has no feature.')
    for (let opened = 0; opened < listeners; opened += STREAMS_OF_SESSION) {
      const session = await signIn(server.url)
      const wanted = Math.min(STREAMS_OF_SESSION, listeners - opened)
      const listen = () =>
        listenForChanges(server, session.token, streams.signal, () => heardAt.push(performance.now()))
      await Promise.all(Array.from({ length: wanted }, listen))
    }
    const change = (isBlocked: boolean) => setBlocked(server, token, feature._id, isBlocked)
    await change(true)
    await pause(1000)

    const ticks = await readTicks(server)
    const started = performance.now()
    for (let count = 0; count < SECONDS * CHANGES_PER_SECOND; count += 1) {
      await change(count % 2 === 1)
      await pause(Math.max(0, started + ((count + 1) * 1000) / CHANGES_PER_SECOND - performance.now()))
    }
    const seconds = (performance.now() - started) / 1000
    const core = ((await readTicks(server)) - ticks) / TICKS_PER_SECOND / seconds

    const first: number[] = []
    const last: number[] = []
    for (let count = 0; count < (listeners > 0 ? 10 : 0); count += 1) {
      heardAt.length = 0
      const sentAt = performance.now()
      await change(count % 2 === 0)
      while (heardAt.length < listeners) await pause(5)
      first.push((heardAt[0] ?? 0) - sentAt)
      last.push((heardAt[listeners - 1] ?? 0) - sentAt)
      await pause(500)
    }
    return { core, first, last }
  } finally {
    streams.abort()
    await server.stop()
  }
}

/** Opens a stream; resolves when the server has responded. */
export function listenForChanges(server: BenchServer, token: string, signal: AbortSignal, onChanges: () => void) {
  return new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const opened = openStream(`${server.url}/api${routes.live.stream.path}`, { headers, signal }, (response) => {
      response.on('data', (chunk: Buffer) => chunk.includes('event: changes') && onChanges())
      response.on('error', () => undefined)
      if (response.statusCode === 200) resolve()
      else reject(new Error(`A stream was answered with ${response.statusCode}`))
    })
    opened.on('error', (error) => (signal.aborted ? undefined : reject(error)))
  })
}

async function setBlocked({ url }: BenchServer, token: string, id: string, isBlocked: boolean): Promise<void> {
  const { path } = isBlocked ? routes.features.block : routes.features.unblock
  const response = await fetch(`${url}/api${path.replace(':id', id)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new Error(`Blocking a feature was answered with ${response.status}`)
  await response.arrayBuffer()
}

/** Returns the processor time of the server's process so far, including its threads, in hundredths of a second. */
async function readTicks({ pid }: BenchServer): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}
