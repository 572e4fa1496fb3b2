// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { Change } from '#contract/audit.ts'
import { listFieldChanges } from './change-fields.ts'
import { toChangeText } from './change-words.ts'

function listLabels(entity: Change['entity'], after: Record<string, unknown>) {
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, null]))
  return listFieldChanges({ entity, action: 'edit', before, after, names: {} }).map(({ label }) => label)
}

describe('the fields of a change', () => {
  it('have the names that the form of their record gives them', () => {
    const pod = { buffer_minutes: 15, capacity: 4, device_id: 'd1', email: 'host@example.com', pod_user_id: 'u1' }
    expect(listLabels('pod', pod)).toEqual(['Cleaning time', 'Seats', 'Device id', 'Host email', 'User id'])
    expect(listLabels('company', { name: 'Kudu', vat_number: '4' })).toEqual(['Company name', 'VAT number'])
    expect(listLabels('customer', { email: 'thandi@example.com', phone_number: '1' })).toEqual([
      'Email',
      'Phone number',
    ])
    expect(listLabels('webhook', { url: 'https://example.com/hook' })).toEqual(['URL'])
    expect(listLabels('template', { subject: 'Booked', body: 'Welcome' })).toEqual(['Subject', 'Text'])
  })

  it('are in the sentence about the change in lower case, except for abbreviations', () => {
    const after = { url: 'https://example.com/hook', is_enabled: true }
    const change = { entity: 'webhook', action: 'edit', names: {}, before: {}, after } as unknown as Change // only what the sentence needs
    expect(toChangeText(change)).toBe('changed the URL and status')
  })

  it('say of a webhook and of a message whether it is on, as their lists do', () => {
    const change = { entity: 'webhook', action: 'edit', names: {}, before: { is_enabled: true } } as const
    const [field] = listFieldChanges({ ...change, after: { is_enabled: false } })
    expect(field).toMatchObject({ label: 'Status', before: 'On', after: 'Off' })
  })

  it('make a sentence about a closure that ends earlier', () => {
    const times = { before: { ends: '2026-12-01T12:00:00.000Z' }, after: { ends: '2026-12-01T10:00:00.000Z' } }
    const change = { entity: 'closure', action: 'edit', names: {}, ...times } as unknown as Change // only what the sentence needs
    expect(toChangeText(change)).toBe('changed the end')
  })

  it('say “Another location” for one whose name the person does not get', () => {
    const change = { entity: 'pod', action: 'edit', names: { here: 'Rosebank Link' } } as const
    const [field] = listFieldChanges({ ...change, before: { location_id: 'there' }, after: { location_id: 'here' } })
    expect(field).toMatchObject({ before: 'Another location', after: 'Rosebank Link' })
  })

  it('say “pods of other locations” for those of a closure whose names the person does not get', () => {
    const change = { entity: 'closure', action: 'create', before: null, names: { here: 'The Gallery' } } as const
    const [field] = listFieldChanges({ ...change, after: { pods: ['there', 'here', 'far'] } })
    expect(field).toMatchObject({ label: 'Pods', after: 'The Gallery, pods of other locations' })
  })

  it('leave out what two long lists have in common, unless only the order has changed', () => {
    const ids = Array.from({ length: 150 }, (_, index) => `id${index}`)
    const names = Object.fromEntries([...ids, 'new'].map((id) => [id, `Location ${id}`]))
    const show = (was: string[], is: string[]) => {
      const lists = { before: { location_ids: was }, after: { location_ids: is } }
      return listFieldChanges({ entity: 'staff', action: 'edit', names, ...lists })[0]
    }
    expect(show(ids, [...ids.slice(2), 'new'])).toMatchObject({
      before: 'Location id0, Location id1, 148 unchanged',
      after: 'Location new, 148 unchanged',
    })
    expect(show(ids, [...ids, 'new'])).toMatchObject({ before: '150 unchanged' })
    expect(show(ids.slice(0, 2), ids.slice(1, 3))).toMatchObject({ before: 'Location id0, Location id1' })
    expect(show(ids, ids.toReversed())?.after).toMatch(/^Location id149, Location id148, /)
  })

  it('say in words what had been paid when a booking was cancelled', () => {
    const change = { entity: 'booking', action: 'cancel', names: {}, before: { paid_when_cancelled: null } } as const
    const [field] = listFieldChanges({ ...change, after: { paid_when_cancelled: '150.00' } })
    expect(field).toMatchObject({ label: 'Paid until the cancellation', after: expect.stringMatching(/^R\s150\.00$/) })
  })

  it('name the events of a webhook as its form does', () => {
    const change = { entity: 'webhook', action: 'edit', names: {}, before: { events: ['pod.*'] } } as const
    const [field] = listFieldChanges({ ...change, after: { events: ['pod.created', 'pod.changed'] } })
    expect(field).toMatchObject({ before: 'Pods: all', after: 'Pods: created, changed' })
  })

  it('do not call two fields of a pod by one name', () => {
    expect(listLabels('pod', { availability: 'Every day', is_available: true })).toEqual(['Availability', 'Available'])
  })

  it('say that a message has its original texts again, not that it is empty', () => {
    const texts = { before: { subject: 'Hello', body: 'Welcome' }, after: { subject: null, body: null } }
    const fields = listFieldChanges({ entity: 'template', action: 'edit', names: {}, ...texts })
    expect(fields.map(({ after }) => after)).toEqual(['The original subject', 'The original text'])
  })

  it('say of something new that it has no end, and is for all locations', () => {
    const created = { action: 'create', before: null, names: {} } as const
    const toWords = ({ label, after }: ReturnType<typeof listFieldChanges>[number]) => `${label}: ${after}`
    const key = { name: 'Doors', expires_on: null, location_ids: null, revoked_at: null }
    expect(listFieldChanges({ ...created, entity: 'api-key', after: key }).map(toWords)).toEqual([
      'Name: Doors',
      'Last day: Never expires',
      'Locations: All locations',
    ])
    const closure = { reason: 'Broken lock', ends: null, rrule: null }
    expect(listFieldChanges({ ...created, entity: 'closure', after: closure }).map(toWords)).toEqual([
      'Reason: Broken lock',
      'End: Until further notice',
    ])
  })

  it('say in words by what a file was filtered, and its order', () => {
    const show = (filters: object) => {
      const names = { id1: 'Thandi Nkosi' }
      return listFieldChanges({ entity: 'activity', action: 'export', names, before: null, after: { filters } })[0]
        ?.after
    }
    expect(show({ actor: 'id1', action: 'check-in', entity: 'role-preset', sort: '-createdAt' })).toBe(
      'Person or key: Thandi Nkosi, Action: Checked in, Kind: Presets of roles, Sort: created at, descending',
    )
    expect(show({ access: '6', secondFactor: 'no' })).toBe('Access to: Booking, Second factor: no')
    expect(show({ repeats: 'FREQ=WEEKLY', ends: null })).toBe('Repeats: Every week, Ends: Until further notice')
  })
})
