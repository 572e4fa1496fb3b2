import { expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { webhookEvents } from '#contract/webhook-events.ts'
import { buildCompany, buildFeature, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { allEndpoints, soundRequests } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { samples } = soundRequests(test)

const domains = new Set(['bookings', 'bookingActions', 'pods', 'locations', 'features', 'users', 'companies'])
const writes = allEndpoints.filter(({ endpoint, domain }) => endpoint.method !== 'GET' && domains.has(domain))

it('every event that webhooks can subscribe to happens', async () => {
  const { token } = await test.signIn()
  const events = Object.entries(webhookEvents).flatMap(([kind, words]) => words.map((word) => `${kind}.${word}`))
  await test.request(routes.webhooks.create, { token, body: { url: 'https://example.com/hook', events } })
  for (const { name, endpoint } of writes) {
    const sample = (await samples[name]?.()) ?? {}
    await test.request(endpoint, { token, ...sample, headers: { 'if-match': '*', ...sample.headers } })
  }
  const { body } = (await samples['bookings.createFor']?.()) ?? {}
  const newCustomer = { kind: 'newCustomer', firstname: 'Zanele', mobile: '0825550101' }
  await test.request(routes.bookings.createFor, { token, body: { ...(body as object), for: newCustomer } })
  const deleted = { deleted_at: test.clock.now() }
  const restored = {
    pod: await buildPod(test.db, deleted),
    location: await buildLocation(test.db, deleted),
    feature: await buildFeature(test.db, deleted),
    customer: await buildUser(test.db, deleted),
    company: await buildCompany(test.db, deleted),
  }
  for (const [entity, { id }] of Object.entries(restored)) {
    await test.request(routes.audit.restore, { token, params: { id }, body: { entity } })
  }
  const told = await test.db.selectFrom('webhook_deliveries').select('event').distinct().execute()
  expect(told.map(({ event }) => event).sort()).toEqual(events.sort())
})
