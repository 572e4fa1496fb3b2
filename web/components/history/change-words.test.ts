// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { AuditEntity } from '#contract/audit-entities.ts'
import type { AuditAction, Change } from '#contract/audit.ts'
import { toChangeText } from './change-words.ts'

it('says of a change that this version does not know only that it was made', () => {
  const change = { action: 'teleport' as AuditAction, entity: 'booking', before: null, after: null } as Change
  expect(toChangeText(change)).toBe('made a change')
})

it('says of a confirmation where it went, unless the customer has been erased since', () => {
  const sent = { action: 'send', entity: 'booking', before: null, after: null, reason: 'a@example.com' } as Change
  expect(toChangeText(sent)).toBe('sent the confirmation again to a@example.com')
  expect(toChangeText({ ...sent, reason: null })).toBe('sent the confirmation again')
})

it('calls a kind of record that this version does not know by the word of the server', () => {
  const change = { action: 'create', entity: 'locker' as AuditEntity, before: null, after: null } as Change
  expect(toChangeText(change)).toBe('created the locker')
})

it('says of a reinstated booking what was taken back: a cancellation, a no-show or an early end', () => {
  const change = { action: 'reinstate', entity: 'booking', after: {} } as Change
  const say = (before: object) => toChangeText({ ...change, before } as Change)
  expect(say({ status: 'Cancelled', cancelled_at: '2026-11-21T09:00:00Z' })).toBe('reinstated the booking')
  expect(say({ status: 'Completed', no_show_at: '2026-11-21T09:00:00Z' })).toBe('took the no-show back')
  expect(say({ status: 'Completed', ended_at: '2026-11-21T09:00:00Z' })).toBe('took the early end back')
})

it('says of a colleague’s access what has changed: the pages, the locations, or an address too', () => {
  const change = { action: 'permissions', entity: 'staff', names: {} } as unknown as Change
  const say = (before: Change['before'], after: Change['after']) => toChangeText({ ...change, before, after })
  expect(say({ pages: [1] }, { pages: [1, 6] })).toBe('changed the page access')
  expect(say({ location_ids: null, email: 'a@example.com' }, { location_ids: [], email: 'b@example.com' })).toBe(
    'changed the locations and email',
  )
  expect(say({ view_only_pages: [] }, { view_only_pages: [6] })).toBe('changed the view-only pages')
})

it('says which event a webhook was sent again', () => {
  const change = { action: 'retry', entity: 'webhook', label: 'booking.created', before: null, after: null } as Change
  expect(toChangeText(change)).toBe('had booking.created sent again')
  expect(toChangeText({ ...change, entity: 'mail' })).toBe('had the mail tried again')
})
