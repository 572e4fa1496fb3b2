import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Change } from '#contract/audit.ts'
import { type Route, routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

const RUNS = process.env.TEST_LONG ? 100 : 5

type State = Record<string, unknown>

/** Queries for a record's stored state, without the code that writes the history, and without secrets. */
const stored = {
  pod: sql`
    select to_jsonb(pods) - '{id,version,created_at,updated_at,device_password}'::text[] || jsonb_build_object(
      'features', array(select feature_id from pod_features where pod_id = pods.id order by position),
      'images', (select coalesce(json_agg(json_build_object('public_id', public_id, 'url', url) order by position), '[]')
                   from pod_images where pod_id = pods.id)) as state, version
      from pods`,
  location: sql`select to_jsonb(locations) - '{id,version,created_at}'::text[] as state, version from locations`,
  feature: sql`select to_jsonb(features) - '{id,version,created_at,position}'::text[] as state, version from features`,
  staff: sql`
    select to_jsonb(staff) - '{id,version,created_at,updated_at,password_hash,must_replace_password}'::text[] as state, version
      from staff`,
  customer: sql`select to_jsonb(users) - '{id,version,created_at}'::text[] as state, version from users`,
  company: sql`select to_jsonb(companies) - '{id,version,created_at}'::text[] as state, version from companies`,
  booking: sql`select to_jsonb(bookings) - '{id,version,created_at}'::text[] as state, version from bookings`,
}

type Entity = keyof typeof stored

async function readState(entity: Entity, id: string): Promise<{ state: State; version: number }> {
  const { rows } = await sql<{ state: State; version: number }>`${stored[entity]} where id = ${id}`.execute(test.db)
  if (!rows[0]) throw new Error('The record is not there')
  return rows[0]
}

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => `x${text.replaceAll('\0', '')}`)
const optional = <T>(shape: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record(shape, { requiredKeys: [] })

type Step = {
  route: Route
  body?: object | undefined
  /** The body has the version that the booking has then. */
  isVersioned?: boolean
}

/** Each builds a record and the steps that can be applied to it. Edits may also send unchanged values. */
const records: Record<Entity, () => Promise<{ id: string; steps: fc.Arbitrary<Step> }>> = {
  pod: async () => {
    const [here, there] = [await buildLocation(test.db), await buildLocation(test.db)]
    const features = [await buildFeature(test.db), await buildFeature(test.db), await buildFeature(test.db)]
    const images = ['a', 'b', 'c'].map((name) => ({ public_id: name, url: `https://images.example.com/${name}.jpg` }))
    const { id } = await buildPod(test.db, { location_id: here.id })
    const edit = optional({
      title: word,
      description: word,
      tags: word,
      rate: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
      capacity: fc.option(fc.integer({ min: 1, max: 50 })),
      isAvailable: fc.boolean(),
      location: fc.constantFrom(here.id, there.id),
      features: fc.shuffledSubarray(
        features.map((feature) => feature.id),
        { minLength: 1 },
      ),
      images: fc.shuffledSubarray(images, { minLength: 1 }),
      password: word,
    })
    return { id, steps: toSteps(routes.pods, edit) }
  },
  location: async () => {
    const { id } = await buildLocation(test.db)
    const edit = optional({
      name: word,
      Street: word,
      zip: word,
      country_code: fc.constantFrom('ZA', 'NA', 'BW'),
      latitude: fc.integer({ min: -9000, max: 9000 }).map((value) => value / 100),
      isBlocked: fc.boolean(),
    })
    return { id, steps: toSteps(routes.locations, edit) }
  },
  feature: async () => {
    const { id } = await buildFeature(test.db)
    return { id, steps: toSteps(routes.features, optional({ name: word, icon: word })) }
  },
  staff: async () => {
    const { id } = await buildStaff(test.db)
    const edit = optional({
      firstname: word,
      lastname: word,
      phoneNumber: word,
      auth_page: fc.subarray([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    })
    return { id, steps: toSteps(routes.staff, edit) }
  },
  customer: async () => {
    const { id } = await buildUser(test.db)
    const { block, unblock, setNote } = routes.users
    return { id, steps: toSteps({ update: setNote, block, unblock }, fc.record({ note: word })) }
  },
  company: async () => {
    const { id } = await buildCompany(test.db)
    const edit = optional({ name: word, billingAddress: word, costCentre: word })
    return { id, steps: fc.oneof(step(routes.companies.update, edit), step(routes.audit.undo, nothing)) }
  },
  booking: async () => {
    const pods = [await buildPod(test.db), await buildPod(test.db)].map((pod) => pod.id)
    const { id } = await buildBooking(test.db, { pod_id: pods[0] ?? '', status: 'Confirmed' })
    const move = fc.record({ podId: fc.constantFrom(...pods), hour: fc.integer({ min: 7, max: 20 }) })
    const at = (hour: number) => `2026-11-23T${String(hour).padStart(2, '0')}:00:00.000Z`
    const { note, cancel, reinstate } = routes.bookingActions
    const steps = fc.oneof(
      step(note, fc.record({ note: word })),
      step(
        routes.bookingActions.move,
        move.map(({ podId, hour }) => ({
          podId,
          bookingDate: '2026-11-23',
          startTime: at(hour),
          endTime: at(hour + 1),
        })),
      ),
      step(cancel, fc.record({ reason: word })),
      step(reinstate, fc.constant({})),
    )
    const versioned = steps.map((made) => Object.assign(made, { isVersioned: true }))
    return { id, steps: fc.oneof({ weight: 4, arbitrary: versioned }, step(routes.audit.undo, nothing)) }
  },
}

const nothing = fc.constant(undefined)

function step(route: Route, body: fc.Arbitrary<object | undefined>): fc.Arbitrary<Step> {
  return body.map((value) => ({ route, body: value }))
}

function toSteps(
  { update, block, unblock }: { update: Route; block: Route; unblock: Route },
  edit: fc.Arbitrary<object>,
): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 4, arbitrary: step(update, edit) },
    step(block, nothing),
    step(unblock, nothing),
    step(routes.audit.undo, nothing),
  )
}

async function readHistory(token: string, entity: Entity, id: string): Promise<Change[]> {
  const query = { entity, id, limit: '100' }
  return (await test.request(routes.audit.history, { token, query })).body
}

describe('the history of a record', () => {
  it.each(Object.keys(records) as Entity[])(
    'leads from the stored state back to every earlier one: %s',
    async (entity) => {
      const { token } = await test.signIn()
      const { id, steps } = await records[entity]()
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 15 }), async (made) => {
          const before = new Set((await readHistory(token, entity, id)).map((change) => change._id))
          // Every state of the record so far, by version.
          const states = new Map<number, State>()
          const keep = async () => {
            const { state, version } = await readState(entity, id)
            states.set(version, state)
          }
          await keep()
          let lastChange: string | undefined
          for (const { route, body, isVersioned } of made) {
            const isUndo = route === routes.audit.undo
            if (isUndo && lastChange === undefined) continue
            const params = { id: isUndo ? (lastChange ?? '') : id }
            const sent = isVersioned ? { ...body, version: (await readState(entity, id)).version } : body
            const headers = { 'if-match': '*' }
            const response = await test.request(route, { token, params, body: sent, headers })
            // A second undo of a change is refused, and so are empty edits of some records.
            expect([200, 400, 409], response.text).toContain(response.status)
            const changeId = response.headers['x-change-id']
            if (typeof changeId === 'string') lastChange = changeId
            await keep()
          }
          const present = await readState(entity, id)
          const { state } = present
          let { version } = present
          for (const change of await readHistory(token, entity, id)) {
            if (before.has(change._id)) break
            expect(state).toEqual(states.get(version))
            expect(change.version).toBe(version)
            const secrets = Object.entries(change.before ?? {}).filter(([, value]) => value === '********')
            const hidden = new Set(secrets.map(([name]) => name))
            const fields = Object.entries(change.before ?? {}).filter(([name]) => !hidden.has(name))
            for (const [name] of fields) expect(change.after?.[name]).toEqual(state[name])
            Object.assign(state, Object.fromEntries(fields))
            version -= 1
            states.delete(version + 1)
          }
          // The walk passed through every state and ended at the first one.
          expect([...states]).toEqual([[version, state]])
        }),
        { numRuns: RUNS },
      )
    },
    120_000,
  )

  it('is an unbroken chain even when 40 edits arrive at once', async () => {
    const { token } = await test.signIn()
    const { id } = await buildFeature(test.db, { name: 'Name 0' })
    const names = Array.from({ length: 40 }, (_, n) => `Name ${n + 1}`)
    const edit = (name: string) => test.request(routes.features.update, { token, params: { id }, body: { name } })
    for (const { status } of await Promise.all(names.map(edit))) expect(status).toBe(200)
    const oldestFirst = (await readHistory(token, 'feature', id)).reverse()
    expect(oldestFirst.map(({ version }) => version)).toEqual(names.map((_, n) => n + 2))
    let last: unknown = 'Name 0'
    for (const { before, after } of oldestFirst) {
      expect(before).toEqual({ name: last })
      last = after?.name
    }
    expect((await readState('feature', id)).state).toMatchObject({ name: last })
  })

  it('shows in each change only what it has changed, even when it waited for others of the same pod', async () => {
    const { token } = await test.signIn()
    const [old, added] = [await buildFeature(test.db), await buildFeature(test.db)]
    const { id } = await buildPod(test.db)
    const ofPod = { pod_id: id, feature_id: old.id, position: 0 }
    await test.db.insertInto('pod_features').values(ofPod).execute()
    const week = [{ weekday: 1, spans: [] }]
    const headers = { 'if-match': '*' }
    const others = [
      () => test.request(routes.pods.block, { token, params: { id } }),
      () => test.request(routes.hours.update, { token, query: { pod: id }, headers, body: { week, exceptions: [] } }),
      () => test.request(routes.pods.update, { token, params: { id }, body: { title: 'Aurora' } }),
    ]
    const waiting = await test.db.transaction().execute(async (tx) => {
      await tx.updateTable('pods').set({ description: 'Locked' }).where('id', '=', id).execute()
      const started = others.map((start) => start())
      await new Promise((resolve) => setTimeout(resolve, 300))
      await tx.insertInto('pod_features').values({ pod_id: id, feature_id: added.id, position: 1 }).execute()
      return started
    })
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
    const changes = await readHistory(token, 'pod', id)
    expect(
      changes
        .map(({ after }) =>
          Object.keys(after ?? {})
            .sort()
            .join(),
        )
        .sort(),
    ).toEqual(['is_blocked', 'opening_hours', 'title'])
  })

  it('contains only one of 20 simultaneous edits from the same version', async () => {
    const { token } = await test.signIn()
    const { id } = await buildFeature(test.db)
    const edit = (name: string) =>
      test.request(routes.features.update, { token, params: { id }, body: { name }, headers: { 'if-match': '"1"' } })
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => edit(`Name ${n}`)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(await readHistory(token, 'feature', id)).toHaveLength(1)
  })
})
