import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MINUTE } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { parseConfig } from '#server/config.ts'
import { makePartitions } from '#server/db/partitions.ts'
import { createId } from '#server/ids.ts'
import { jobKinds } from '#server/jobs/jobs.ts'
import { buildPod } from '#server/testing/factories.ts'
import { createHeldWork } from '#server/testing/held-work.ts'
import { connectClient } from '#server/testing/leaving-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const TOKEN = 'metrics-token-of-the-tests'
const ask = (test: ReturnType<typeof useTestApp>, token: string) =>
  test.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })

describe('metrics without METRICS_TOKEN', () => {
  const test = useTestApp()

  it('return 404', async () => {
    const response = await ask(test, '')
    expect(response.statusCode).toBe(404)
  })
})

describe('metrics with scheduled backups', () => {
  const test = useTestApp({ METRICS_TOKEN: TOKEN, BACKUP_TO: '/tmp/backups-of-nobody' })

  it('show the age and size of the last good backup, and not of one from the future', async () => {
    expect((await ask(test, TOKEN)).body).toContain('podkeeper_backup_age_seconds +Inf')
    const now = test.clock.now().getTime()
    const backup = { job_id: createId(), rows: 1, images: 0, sha256: '' }
    const toBackup = (name: string, at: Date, bytes: number) => ({
      ...backup,
      name,
      made_at: at,
      checked_at: at,
      bytes,
    })
    await test.db
      .insertInto('backups')
      .values([
        toBackup('one', new Date(now - 3_600_000), 12_345),
        toBackup('while the clock was ahead', new Date(now + 86_400_000), 1),
      ])
      .execute()
    const { body } = await ask(test, TOKEN)
    expect(body).toContain('podkeeper_backup_age_seconds 3600\n')
    expect(body).toContain('podkeeper_backup_bytes 12345\n')
  })

  it('have every name in the dashboard and the alerts, and each alert has its advice', async () => {
    await test.request(routes.auth.login, { body: {} })
    const { body } = await ask(test, TOKEN)
    const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
    const alerts = read('monitoring/alerts.yml')
    const texts = `${alerts} ${read('monitoring/grafana-dashboard.json')}`
    for (const [name] of texts.matchAll(/\b(?:podkeeper|nodejs|process)_\w+/g)) expect(body).toContain(`\n${name}`)
    // Probes are fast, and come more often than people's requests.
    const durations = [...texts.matchAll(/_seconds_bucket(.*?)\[5m\]/g)].map(([, labels = '']) =>
      labels.replaceAll('\\', ''),
    )
    expect(new Set(durations)).toEqual(new Set(['{route!~"/(healthz|readyz|metrics)"}']))
    const counts = [...alerts.matchAll(/_seconds_count\{(?:status=~"5..",)?(.*?)\}\[5m\]/g)].map(([, labels]) => labels)
    const ofPeople = 'route!~"/(healthz|readyz|metrics)"'
    expect(counts).toEqual([ofPeople, ofPeople, 'route="/readyz"', 'route="/readyz"'])
    for (const probe of ['/healthz', '/readyz', '/metrics']) await test.app.inject(probe)
    const routesOfProbes = (await ask(test, TOKEN)).body.match(
      /_count\{method="GET",route="\/(healthz|readyz|metrics)"/g,
    )
    expect(new Set(routesOfProbes).size).toBe(3)
    const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(read('operations.md')).toContain(`\n| ${name} |`)
    const undocumented = [...body.matchAll(/^# HELP (podkeeper_\w+)/gm)].filter(
      ([, name]) => !read('operations.md').includes(`\`${name}\``),
    )
    expect(
      undocumented.map(([, name]) => name),
      'are in no table of docs/operations.md',
    ).toEqual([])
  })

  it('show within a quarter of an hour that no job is done any more, even if sweeps alone are due', () => {
    const alerts = readFileSync(new URL('../../docs/monitoring/alerts.yml', import.meta.url), 'utf8')
    const most = Number(/state="waiting"\}\)\[15m:1m\]\) > (\d+)/.exec(alerts)?.[1])
    // Backups are not made everywhere.
    const others = Object.entries(jobKinds).filter(([kind]) => kind !== 'planned backup')
    const soonDue = others.filter(([, { everyMs = Number.POSITIVE_INFINITY }]) => everyMs <= MINUTE)
    expect(soonDue.length).toBeGreaterThan(most)
  })

  it('show a sweep that fails each time, but not one that fails once, however rarely it runs', () => {
    const alerts = readFileSync(new URL('../../docs/monitoring/alerts.yml', import.meta.url), 'utf8')
    const minutes = Number(/PodkeeperSweepFails\n[^]*?for: (\d+)m/.exec(alerts)?.[1])
    const rarest = Math.max(...Object.values(jobKinds).map(({ everyMs = 0 }) => everyMs))
    expect(minutes * MINUTE).toBeGreaterThan(rarest)
    expect(minutes * MINUTE).toBeLessThan(2 * rarest)
  })
})

describe('metrics with METRICS_TOKEN', () => {
  const test = useTestApp({ METRICS_TOKEN: TOKEN })

  /** Reads the value of a metric; undefined when it is missing. */
  async function read(name: string): Promise<number | undefined> {
    const response = await ask(test, TOKEN)
    expect(response.statusCode).toBe(200)
    const line = response.body.split('\n').find((text) => text.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length))
  }

  it('are refused without the right token', async () => {
    const { token } = await test.signIn()
    for (const wrong of ['', 'another', `${TOKEN}x`, token]) {
      expect(await ask(test, wrong)).toMatchObject({ statusCode: 401, headers: { 'cache-control': 'no-store' } })
    }
    expect((await ask(test, TOKEN)).headers['content-type']).toMatch(/^text\/plain/)
  })

  it('count requests by route and status, and never contain the id of a record', async () => {
    const { token } = await test.signIn()
    const id = createId()
    await test.request(routes.pods.get, { token, params: { id } })
    await test.request(routes.pods.get, { params: { id } })
    const labels = (status: number) => `{method="GET",route="/product/get-pod/:id",status="${status}"}`
    expect(await read(`podkeeper_http_request_duration_seconds_count${labels(404)}`)).toBe(1)
    expect(await read(`podkeeper_http_request_duration_seconds_count${labels(401)}`)).toBe(1)
    expect(await read(`podkeeper_http_request_duration_seconds_sum${labels(404)}`)).toBeGreaterThan(0)
    expect((await ask(test, TOKEN)).body).not.toContain(id)
  })

  it('count created bookings, each one of a series, and a repeated request only once', async () => {
    const { token } = await test.signIn()
    const before = (await read('podkeeper_bookings_made_total')) ?? 0
    const times = { startTime: '2026-11-23T09:00:00.000Z', endTime: '2026-11-23T10:00:00.000Z' }
    const body = { bookingPurpose: 'meeting', bookingDate: '2026-11-23', ...times }
    const params = { podId: (await buildPod(test.db)).id }
    const twice = { token, params, body, headers: { 'idempotency-key': 'one' } }
    expect((await test.request(routes.bookings.create, twice)).status).toBeLessThan(300)
    expect((await test.request(routes.bookings.create, twice)).headers['idempotency-replayed']).toBe('true')
    const podId = (await buildPod(test.db)).id
    const repeats = { weekdays: ['MO'], until: '2026-11-30' }
    const series = { ...body, podId, for: { kind: 'me' }, repeats }
    expect((await test.request(routes.series.create, { token, body: series })).status).toBe(201)
    expect(await read('podkeeper_bookings_made_total')).toBe(before + 3)
  })

  it('include the connection pool, jobs, live stream listeners and event loop', async () => {
    const now = test.clock.now()
    const later = new Date(now.getTime() + 60_000)
    const job = (key: string, more: object) => ({ kind: 'mail', key, run_at: now, ...more })
    await test.db
      .insertInto('jobs')
      .values([
        job('a', {}),
        job('b', { run_at: later, max_tries: 10, last_error: 'is tried again' }),
        job('c', { dead_at: now, max_tries: 10, last_error: 'was given up' }),
        job('d', { done_at: now }),
        job('e', { run_at: later, last_error: 'A sweep, which is never given up' }),
      ])
      .execute()
    const counts = { waiting: 1, planned: 2, dead: 1, failing: 1 }
    for (const [state, count] of Object.entries(counts))
      expect(await read(`podkeeper_jobs{state="${state}"}`)).toBe(count)
    expect(await read('podkeeper_database_connections{state="idle"}')).toBeGreaterThanOrEqual(0)
    expect(await read('podkeeper_database_waiting_queries')).toBe(0)
    expect(await read('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    const { _id } = await test.signIn()
    const tokenHash = (await test.db.selectFrom('sessions').select('token_hash').executeTakeFirstOrThrow()).token_hash
    const staff = { _id, firstname: '', lastname: '', email: '', phoneNumber: '', role: '' }
    const stream = await test.context.live.open({
      id: _id,
      tokenHash,
      staff,
      pages: [1],
      viewOnlyPages: [],
      locations: null,
      mustReplacePassword: false,
      mustSetUpSecondFactor: false,
      lastUsedAt: now,
      confirmedAt: now,
    })
    expect(await read('podkeeper_live_listeners')).toBe(1)
    stream.destroy()
  })

  it('count rows outside the monthly partitions', async () => {
    await makePartitions(test.db, test.clock.now())
    await test.db
      .insertInto('audit')
      .values({
        id: createId(),
        at: new Date('2040-01-01'),
        actor_kind: 'system',
        action: 'edit',
        entity: 'settings',
        label: '',
      })
      .execute()
    expect(await read('podkeeper_unplaced_rows{table="audit"}')).toBe(1)
    expect(await read('podkeeper_unplaced_rows{table="webhook_deliveries"}')).toBe(0)
  })
})

describe('metrics of a server whose connections are all busy', () => {
  const test = useTestApp({ METRICS_TOKEN: TOKEN, BACKUP_TO: '/tmp/backups-of-nobody' }, { poolSize: 2 })

  it('are there before Prometheus gives up, and count the queries that wait', async () => {
    const { work, release } = createHeldWork()
    onTestFinished(release)
    const busy = [work, work].map((hold) => test.db.connection().execute(hold))
    const waiting = [1, 2, 3].map(() => sql`select 1`.execute(test.db))
    const asked = performance.now()
    const { statusCode, body } = await ask(test, TOKEN)
    expect(statusCode).toBe(200)
    expect(performance.now() - asked).toBeLessThan(5_000)
    // An age of 0 would be that of a backup made this moment.
    expect(body).not.toMatch(/^podkeeper_backup_/m)
    expect(Number(/^podkeeper_database_waiting_queries (\d+)$/m.exec(body)?.[1])).toBeGreaterThanOrEqual(3)
    release()
    await Promise.all([...busy, ...waiting])
  })

  it('count requests whose client left before the response', async () => {
    const { token } = await test.signIn()
    const { work, release } = createHeldWork()
    onTestFinished(release)
    const busy = [work, work].map((hold) => test.db.connection().execute(hold))
    const client = await connectClient(test)
    const arrived = once(test.app.server, 'request')
    const { method, path } = routes.locations.list
    client.send(`${method} /api${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await arrived
    await client.leave()
    release()
    await Promise.all(busy)
    expect((await ask(test, TOKEN)).body).toContain(
      `podkeeper_http_request_duration_seconds_count{method="${method}",route="${path}",status="499"} 1`,
    )
  })
})

it('METRICS_TOKEN has to be at least 16 characters long', () => {
  expect(() => parseConfig({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN needs 16 to 200 letters')
})
