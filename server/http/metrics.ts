import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client'
import type { AppContext } from '../context.ts'
import { countUnplaced, partitionedTables } from '../db/partitions.ts'
import { inTime } from '../in-time.ts'
import { findLastBackup } from '../modules/backups/backups.repository.ts'
import { AppError } from './app-error.ts'
import { onRequestEnd } from './request-end.ts'

/** Histogram buckets in seconds, from what a person does not notice to what makes them give up. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * The longest that the database is waited for. Prometheus waits 10 s, and then has no metric at all, when those of a
 * database that does not answer matter most.
 */
const DATABASE_MS = 2_000

/**
 * Adds `/metrics` for Prometheus (rules §35.3): the number and duration of requests per route, and the state of the
 * process, its database and its jobs. Without METRICS_TOKEN there is no such path, and nothing is measured.
 */
export function addMetrics(app: FastifyInstance, context: AppContext): void {
  const token = context.config.metricsToken
  if (token === undefined) return
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  measureRequests(app, registers)
  addGauges(context, registers)
  addBackupGauges(context, registers)
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) throw new AppError('not_signed_in')
    reply.header('cache-control', 'no-store').type(registry.contentType)
    return registry.metrics()
  })
}

function measureRequests(app: FastifyInstance, registers: Registry[]): void {
  const durations = new Histogram({
    name: 'podkeeper_http_request_duration_seconds',
    help: 'Duration of requests by route and status, without live streams',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers,
  })
  const bookings = new Counter({ name: 'podkeeper_bookings_made_total', help: 'Bookings created', registers })
  onRequestEnd(app, (request, reply, status) => {
    const { url: route = 'none', config } = request.routeOptions
    bookings.inc(request.bookingsMade)
    // An event stream ends only when its screen is closed.
    if (config.isEventStream) return
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
  })
}

/** Adds the gauges whose values are determined when they are read. */
function addGauges({ databaseLoad, live, db, clock }: AppContext, registers: Registry[]): void {
  const addGauge = (options: GaugeConfiguration<string>) => new Gauge({ ...options, registers })
  addGauge({
    name: 'podkeeper_database_connections',
    help: 'Connections in the pool',
    labelNames: ['state'],
    collect() {
      const { connections, idle } = databaseLoad()
      this.set({ state: 'busy' }, connections - idle)
      this.set({ state: 'idle' }, idle)
    },
  })
  addGauge({
    name: 'podkeeper_database_waiting_queries',
    help: 'Queries waiting for a connection',
    collect() {
      this.set(databaseLoad().waiting)
    },
  })
  addGauge({
    name: 'podkeeper_live_listeners',
    help: 'Open screens that receive live hints from this server',
    collect() {
      this.set(live.countListeners())
    },
  })
  addGauge({
    name: 'podkeeper_jobs',
    help: 'Jobs that are due, planned for later or given up, and sweeps whose last run failed, across all servers',
    labelNames: ['state'],
    async collect() {
      // The outage shows elsewhere: the other metrics are still useful without the database.
      const counts = await inTime(countJobs(db, clock.now()), DATABASE_MS).catch(() => undefined)
      this.reset()
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count)
    },
  })
  addGauge({
    name: 'podkeeper_unplaced_rows',
    help: 'Rows of partitioned tables that are in no partition of a month, counted up to a thousand',
    labelNames: ['table'],
    async collect() {
      const counting = partitionedTables.map(async (table) =>
        // Without the database the last known value is better than none.
        inTime(countUnplaced(db, table), DATABASE_MS).then(
          (count) => this.set({ table }, count),
          () => undefined,
        ),
      )
      await Promise.all(counting)
    },
  })
}

/** Adds gauges for the last daily backup; none when daily backups are off. */
function addBackupGauges({ db, clock, config }: AppContext, registers: Registry[]): void {
  if (!config.backup) return
  const addGauge = (name: string, help: string, toValue: (last: LastBackup) => number) => {
    const gauge = new Gauge({
      name,
      help,
      registers,
      async collect() {
        // Without the database the last known value is better than none.
        await inTime(findLastBackup(db, clock.now()), DATABASE_MS).then(
          (last) => this.set(toValue(last)),
          () => undefined,
        )
      },
    })
    // A gauge begins with 0, which would be the age of a backup made this moment.
    gauge.remove({})
  }
  const toAge = (last: LastBackup) =>
    last ? (clock.now().getTime() - last.made_at.getTime()) / 1000 : Number.POSITIVE_INFINITY
  addGauge(
    'podkeeper_backup_age_seconds',
    'Seconds since the last daily backup that was read back completely; +Inf while there is none',
    toAge,
  )
  addGauge('podkeeper_backup_bytes', 'Size of the last daily backup', (last) => last?.bytes ?? 0)
}

type LastBackup = Awaited<ReturnType<typeof findLastBackup>>

async function countJobs(db: AppContext['db'], now: Date): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select count(*) filter (where dead_at is null and run_at <= ${now})::int as waiting,
           count(*) filter (where dead_at is null and run_at > ${now})::int as planned,
           count(*) filter (where dead_at is not null)::int as dead,
           count(*) filter (where max_tries is null and last_error is not null)::int as failing
      from jobs where done_at is null`.execute(db)
  return rows[0] ?? {}
}

/** Compares two texts in the same time wherever they differ. */
function isSame(left: string, right: string): boolean {
  const toHash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(toHash(left), toHash(right))
}
