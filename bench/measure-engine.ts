import { verify } from '@node-rs/argon2'
import { routes } from '#contract/routes.ts'
import { explainDay } from '#server/modules/availability/availability.ts'
import { listPods } from '#server/modules/pods/pods.repository.ts'
import type { BareResponse } from './bare-server.ts'
import { measureBookings } from './measure-bookings.ts'
import { alternate, measureThroughput, median, timeEach } from './measure.ts'
import { measurePortalLoad } from './portal-load.ts'
import { recordStatements } from './record-statements.ts'
import { type EngineReport, perSecond, type Row, toRow } from './report.ts'
import { NOTHING_MORE, openLimit, type Seeded, seed } from './seeded.ts'
import { startBareServer, startProduct } from './servers.ts'
import { STAFF, signIn } from './staff-requests.ts'

const ROUNDS = 5

/** Measures the paths that matter in the first days, on the demo data. */
export async function measureEngine(engine: string, serverUrl: string | undefined): Promise<EngineReport> {
  process.stdout.write(`\n${engine}\n`)
  const seeded = await seed(NOTHING_MORE, serverUrl)
  try {
    return { engine, version: seeded.version, rows: await measureSeeded(seeded) }
  } finally {
    await seeded.remove()
  }
}

async function measureSeeded(seeded: Seeded): Promise<Row[]> {
  const prepared = await prepare(seeded)
  const product = await startProduct(seeded.settings)
  try {
    const { token } = await signIn(product.url)
    const headers = { authorization: `Bearer ${token}` }
    const rows: Row[] = []

    const paths = {
      pods: `/api${routes.pods.list.path}?page=1&limit=10`,
      availability: `/api${routes.bookings.availability.path.replace(':podId', prepared.podId)}?booking_date=${prepared.date}`,
    }
    const responses: BareResponse[] = []
    for (const name of ['pods', 'availability'] as const) {
      const body: unknown = await (await fetch(product.url + paths[name], { headers })).json()
      responses.push({ path: paths[name], statements: prepared.statements[name], body })
    }
    const bare = await startBareServer(seeded, responses)
    try {
      for (const [name, what, aim] of [
        ['pods', 'pod list, a page of 10', '≥ 0.5'],
        ['availability', 'availability of a pod and day', '≥ 0.4'],
      ] as const) {
        const measured = await alternate(
          ROUNDS,
          () => measureThroughput(product.url + paths[name], headers),
          () => measureThroughput(bare.url + paths[name], {}),
        )
        rows.push(toRow({ what, ...measured, of: 'bare node:http', aim, show: perSecond }))
      }
    } finally {
      await bare.stop()
    }

    rows.push(await measureSignIn(product.url, prepared.passwordHash))
    rows.push(...(await measureBookings({ ...product, token }, prepared, seeded)))
    rows.push(await measurePortalLoad(product.url))
    return rows
  } finally {
    await product.stop()
  }
}

/** Prepares what the limits are measured with; the SQL is recorded on the database on which it will run. */
async function prepare(seeded: Seeded) {
  const database = await openLimit(seeded)
  try {
    const { db, pool } = database
    const date = new Date().toISOString().slice(0, 10)
    const pod = await db
      .selectFrom('pods')
      .select('id')
      .where('is_blocked', '=', false)
      .limit(1)
      .executeTakeFirstOrThrow()
    const staff = await db
      .selectFrom('staff')
      .select(['id', 'password_hash'])
      .where('email', '=', STAFF.email)
      .$narrowType<{ password_hash: string }>() // it has signed in, so it has a password
      .executeTakeFirstOrThrow()
    const statements = {
      pods: await recordStatements(pool, (db) => listPods(db, { page: 1, limit: 10 }, new Date()).readPage()),
      availability: await recordStatements(pool, (db) => explainDay(db, pod.id, date)),
    }
    return { podId: pod.id, date, staffId: staff.id, passwordHash: staff.password_hash, statements }
  } finally {
    await database.close()
  }
}

/** Measures consecutive sign-ins, beside the password comparison alone. */
async function measureSignIn(url: string, passwordHash: string): Promise<Row> {
  const measured = await alternate(
    ROUNDS,
    async () => median(await timeEach(20, () => signIn(url))),
    async () => median(await timeEach(20, () => verify(passwordHash, STAFF.password))),
  )
  return toRow({ what: 'sign-in', ...measured, of: 'argon2id alone', aim: '≤ 2' })
}
