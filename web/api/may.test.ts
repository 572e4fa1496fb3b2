import { describe, expect, it } from 'vitest'
import type { AuditEntity } from '#contract/audit-entities.ts'
import { PAGE, type PageCode, pageCodes } from '#contract/pages.ts'
import { listUsablePages, toMay } from './may.ts'

const me = { user: { _id: 'me' } } as never // a login response, of which only the id is read
const may = (
  pages: readonly PageCode[],
  viewOnlyPages: readonly PageCode[] = [],
  viewAs: string | null = null,
  locations: readonly string[] | null = null,
) => toMay({ pages, viewOnlyPages, locations, userData: me, viewAs })

describe('the access of a staff member', () => {
  it('allows a call when any of the endpoint’s pages gives the needed level, view or edit', () => {
    expect(may([PAGE.pods]).call('pods.create')).toBe(true)
    expect(may([PAGE.pods], [PAGE.pods]).call('pods.create')).toBe(false)
    expect(may([PAGE.pods], [PAGE.pods]).call('pods.export')).toBe(true)
    expect(may([PAGE.features]).call('pods.export')).toBe(false)
    // One of the two pages may be changed.
    expect(may([PAGE.pods, PAGE.locations], [PAGE.pods]).call('closures.create')).toBe(true)
    // A preview changes nothing.
    expect(may([PAGE.pods], [PAGE.pods]).call('closures.preview')).toBe(true)
    expect(may([], []).call('account.update')).toBe(true)
    expect(toMay(undefined).call('pods.list')).toBe(false)
  })

  it('allows changing records only with edit on their own page, even if others admit to the endpoint', () => {
    const mixed = may([PAGE.pods, PAGE.locations, PAGE.staff], [PAGE.pods])
    expect([mixed.changeRecords('pod'), mixed.changeRecords('location')]).toEqual([false, true])
    expect([mixed.changeRecords('webhook'), mixed.changeRecords('booking')]).toEqual([true, false])
  })

  it('allows changing any booking, or only one’s own, depending on the page', () => {
    const { bookings, corporateBooking } = PAGE
    expect(may([bookings]).changeBooking(['another'])).toBe(true)
    expect(may([corporateBooking]).changeBooking(['another', null])).toBe(false)
    expect(may([corporateBooking]).changeBooking(['another', 'me'])).toBe(true)
    expect(may([bookings, corporateBooking], [bookings]).changeBooking(['another'])).toBe(false)
    expect(may([bookings, corporateBooking], [bookings]).changeBooking(['me'])).toBe(true)
    expect(may([bookings, corporateBooking], [bookings, corporateBooking]).changeBooking(['me'])).toBe(false)
  })

  it('allows undoing changes of bookings with page 9 alone, as only one’s own are seen with it', () => {
    const { bookings, corporateBooking } = PAGE
    const moved = { entity: 'booking', action: 'move', before: {}, names: {} } as const
    expect(may([corporateBooking]).undo(moved)).toBe(true)
    expect(may([corporateBooking], [corporateBooking]).undo(moved)).toBe(false)
    expect(may([bookings, corporateBooking], [bookings]).undo(moved)).toBe(false)
    expect(may([corporateBooking]).undo({ ...moved, entity: 'company', action: 'edit' })).toBe(true)
    expect(may([corporateBooking]).undo({ ...moved, entity: 'pod', action: 'edit' })).toBe(false)
  })
})

describe('the access of a staff member with some locations', () => {
  const some = may(pageCodes, [], null, ['here'])

  it('allows no call that needs all locations', () => {
    const calls = [
      'features.create',
      'features.reorder',
      'pricing.setRate',
      'locations.create',
      'locations.delete',
      'users.block',
      'users.delete',
      'companies.delete',
      'staff.create',
    ] as const
    for (const call of calls) {
      expect([call, some.call(call), may(pageCodes).call(call)]).toEqual([call, false, true])
    }
    for (const call of ['pods.create', 'pods.delete', 'locations.update', 'companies.create', 'features.list'] as const)
      expect([call, some.call(call)]).toEqual([call, true])
  })

  it('allows changing what belongs to locations, but not what belongs to the platform', () => {
    for (const entity of ['pod', 'location', 'booking', 'closure', 'customer', 'company'] as const)
      expect([entity, some.changeRecords(entity)]).toEqual([entity, true])
    for (const entity of ['feature', 'settings', 'staff', 'policy', 'template', 'webhook', 'api-key'] as const)
      expect([entity, some.changeRecords(entity)]).toEqual([entity, false])
  })

  it('lists no page on which nothing can be seen without all locations', () => {
    expect(listUsablePages({ pages: [PAGE.staff, PAGE.pods], locations: ['here'] })).toEqual([PAGE.pods])
    expect(listUsablePages({ pages: [PAGE.staff, PAGE.pods], locations: null })).toEqual([PAGE.staff, PAGE.pods])
  })

  it('allows undoing no change of a kind that this version does not know', () => {
    const change = { entity: 'locker' as AuditEntity, action: 'edit', before: {}, names: {} } as const
    expect(may(pageCodes).undo(change)).toBe(false)
  })

  it('allows undoing and restoring as the server does', () => {
    expect([some.restoreRecords('pod'), some.restoreRecords('customer'), some.restoreRecords('company')]).toEqual([
      true,
      false,
      false,
    ])
    expect(some.undo({ entity: 'pod', action: 'block', before: {}, names: {} })).toBe(true)
    expect(some.undo({ entity: 'customer', action: 'edit', before: {}, names: {} })).toBe(true)
    expect(some.undo({ entity: 'customer', action: 'block', before: {}, names: {} })).toBe(false)
    expect(some.undo({ entity: 'settings', action: 'edit', before: {}, names: {} })).toBe(false)
    // The policy of a location is changed under Policies.
    expect(some.undo({ entity: 'location', action: 'edit', before: { cancel_policy: null }, names: {} })).toBe(false)
    expect(may(pageCodes).undo({ entity: 'customer', action: 'block', before: {}, names: {} })).toBe(true)
  })

  it('does not allow undoing what would bring a record back to a location that they do not have', () => {
    const moved = { entity: 'booking', action: 'move', before: { pod_id: 'pod', location_id: 'there' } } as const
    expect(some.undo({ ...moved, names: {} })).toBe(false)
    expect(some.undo({ ...moved, names: { pod: 'Acacia' } })).toBe(false)
    expect(some.undo({ ...moved, names: { there: 'Rosebank' } })).toBe(false)
    expect(some.undo({ ...moved, names: { pod: 'Acacia', there: 'Rosebank' } })).toBe(true)
    expect(may(pageCodes).undo({ ...moved, names: {} })).toBe(true)
  })

  it('marks a screen as view only when all that is changed on it needs all locations', () => {
    const { features, transactions, users, locations } = PAGE
    expect([features, transactions, users, locations].map((page) => some.onlyView([page]))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('a view of a colleague', () => {
  const seen = may([PAGE.pods, PAGE.users, PAGE.bookings, PAGE.corporateBooking], [PAGE.users], 'colleague')

  it('allows reading as the colleague may, but no changes', () => {
    expect([seen.call('pods.list'), seen.call('pods.export'), seen.call('closures.preview')]).toEqual([
      true,
      true,
      true,
    ])
    expect([seen.call('staff.list'), seen.call('pods.create'), seen.call('account.update')]).toEqual([
      false,
      false,
      false,
    ])
    expect([seen.changeRecords('pod'), seen.changeBooking(['colleague'])]).toEqual([false, false])
    // An export of personal data is refused in a view, as it must be requested in one's own name.
    expect(seen.call('users.export')).toBe(false)
  })

  it('marks a screen as view only when the colleague may only view it', () => {
    expect([seen.onlyView([PAGE.users]), seen.onlyView([PAGE.pods])]).toEqual([true, false])
  })
})

describe('a screen', () => {
  it('is marked view only when none of the pages that admit to it may be edited', () => {
    expect(may([PAGE.pods], [PAGE.pods]).onlyView([PAGE.pods])).toBe(true)
    expect(may([PAGE.pods]).onlyView([PAGE.pods])).toBe(false)
    expect(may([PAGE.users, PAGE.bookings], [PAGE.users]).onlyView([PAGE.users, PAGE.bookings])).toBe(false)
    expect(may([PAGE.users], [PAGE.users]).onlyView([PAGE.users, PAGE.bookings])).toBe(true)
  })

  it('is not marked view only when it has nothing to edit anyway', () => {
    expect(may([PAGE.dashboard], [PAGE.dashboard]).onlyView([PAGE.dashboard])).toBe(false)
  })
})
