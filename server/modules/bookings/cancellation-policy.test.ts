import { describe, expect, it } from 'vitest'
import type { PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { useBookingDay } from '#server/testing/booking-day.ts'
import { buildLocation } from '#server/testing/factories.ts'

const { test, ask, undo } = useBookingDay()
const actions = routes.bookingActions

describe('the cancellation policy', () => {
  const policy = {
    brackets: [
      { hoursBefore: 2, percent: 50 },
      { hoursBefore: '24', percent: 100 },
    ],
    fee: 10,
  }
  const sorted = {
    brackets: [
      { hoursBefore: 24, percent: 100 },
      { hoursBefore: 2, percent: 50 },
    ],
    fee: 10,
  }

  it('can be set for the platform and for a location, and the change can be undone', async () => {
    const { token } = await test.signIn([8] as PageCode[])
    const location = await buildLocation(test.db, { name: 'Rosebank' })
    const before = (await test.request(actions.getPolicy, { token })).body
    expect(before).toMatchObject({
      cancelPolicy: { brackets: [{ hoursBefore: 2, percent: 100 }], fee: 0 },
      cancelReasons: expect.arrayContaining(['Customer asked']),
    })
    const headers = { 'if-match': String(before.version) }
    const body = { cancelPolicy: policy, cancelReasons: ['Ill', 'Ill', 'Late'] }
    const set = await test.request(actions.setPolicy, { token, body, headers })
    expect(set.body).toMatchObject({ cancelPolicy: sorted, cancelReasons: ['Ill', 'Late'] })
    expect(
      (await test.request(actions.setPolicy, { token, body: { ...body, cancelReasons: ['x'] }, headers })).status,
    ).toBe(409)
    const own = await ask(
      actions.setLocationPolicy,
      token,
      location.id,
      { cancelPolicy: policy, noShowMinutes: 15 },
      { 'if-match': '1' },
    )
    expect(own.body.locations).toMatchObject([
      { name: 'Rosebank', cancelPolicy: sorted, noShowMinutes: 15, version: 2 },
    ])
    expect((await undo(token, set.headers['x-undo-id'])).status).toBe(200)
    expect((await test.request(actions.getPolicy, { token })).body.cancelReasons).toEqual(before.cancelReasons)
    expect(
      (
        await ask(
          actions.setLocationPolicy,
          token,
          createId(),
          { cancelPolicy: null, noShowMinutes: null },
          { 'if-match': '1' },
        )
      ).status,
    ).toBe(404)
  })

  it('keeps fields left out of an update, and returns the current values for an outdated version', async () => {
    const { token } = await test.signIn([8])
    const location = await buildLocation(test.db)
    const before = (await test.request(actions.getPolicy, { token })).body
    const headers = { 'if-match': '*' }
    const set = await test.request(actions.setPolicy, { token, body: { cancelReasons: ['Ill'] }, headers })
    expect(set.body).toMatchObject({ cancelPolicy: before.cancelPolicy, cancelReasons: ['Ill'] })
    await ask(actions.setLocationPolicy, token, location.id, { cancelPolicy: policy }, headers)
    await ask(actions.setLocationPolicy, token, location.id, { noShowMinutes: '20' }, headers)
    const outdated = await ask(
      actions.setLocationPolicy,
      token,
      location.id,
      { noShowMinutes: '' },
      { 'if-match': '1' },
    )
    expect(outdated).toMatchObject({
      status: 409,
      body: { current: { _id: location.id, cancelPolicy: sorted, noShowMinutes: 20, version: 3 } },
    })
    const off = await ask(actions.setLocationPolicy, token, location.id, { noShowMinutes: '' }, { 'if-match': '3' })
    expect(off.body.locations).toMatchObject([{ cancelPolicy: sorted, noShowMinutes: null }])
    await buildLocation(test.db)
    const all = await test.request(actions.setNoShowMinutes, { token, body: { noShowMinutes: '15' } })
    expect(all.body.locations).toHaveLength(2)
    expect(all.body.locations).toMatchObject([{ noShowMinutes: 15 }, { noShowMinutes: 15 }])
    expect(all.body.locations).toContainEqual(expect.objectContaining({ cancelPolicy: sorted }))
    const wrong = await test.request(actions.setNoShowMinutes, { token, body: { noShowMinutes: 4 } })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'noShowMinutes' }] } })
  })

  it.each([
    [
      { cancelPolicy: { brackets: [1, 1].map((hoursBefore) => ({ hoursBefore, percent: 5 })), fee: 0 } },
      'cancelPolicy.brackets',
    ],
    [
      { cancelPolicy: { brackets: [{ hoursBefore: -1, percent: 5 }], fee: 0 }, cancelReasons: ['x'] },
      'cancelPolicy.brackets.0.hoursBefore',
    ],
    [
      { cancelPolicy: { brackets: [{ hoursBefore: 1, percent: 101 }], fee: 0 }, cancelReasons: ['x'] },
      'cancelPolicy.brackets.0.percent',
    ],
    [{ cancelPolicy: { brackets: [], fee: 'much' }, cancelReasons: ['x'] }, 'cancelPolicy.fee'],
    [{ cancelPolicy: { brackets: [], fee: 0 }, cancelReasons: [] }, 'cancelReasons'],
    [{ cancelReasons: Array.from({ length: 31 }, () => 'x') }, 'cancelReasons'],
    [
      {
        cancelPolicy: {
          brackets: Array.from({ length: 11 }, (_, hoursBefore) => ({ hoursBefore, percent: 5 })),
          fee: 0,
        },
      },
      'cancelPolicy.brackets',
    ],
  ])('is refused at its field: %j', async (body, path) => {
    const { token } = await test.signIn([8])
    const response = await test.request(actions.setPolicy, { token, body, headers: { 'if-match': '1' } })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  })
})
