import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { toMay } from './may.ts'

const me = { user: { _id: 'me' } } as never // a login response, of which only the id is read
const may = (pages: readonly PageCode[], viewOnlyPages: readonly PageCode[] = [], viewAs: string | null = null) =>
  toMay({ pages, viewOnlyPages, userData: me, viewAs })

describe('what one may do', () => {
  it('is what one of an endpoint’s pages allows: to look, or to change', () => {
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

  it('is asked of the page of a record, also where several admit to the endpoint', () => {
    const mixed = may([PAGE.pods, PAGE.locations, PAGE.staff], [PAGE.pods])
    expect([mixed.changeRecords('pod'), mixed.changeRecords('location')]).toEqual([false, true])
    expect([mixed.changeRecords('webhook'), mixed.changeRecords('booking')]).toEqual([true, false])
  })

  it('is to change any booking, or those that one has made', () => {
    const { bookings, corporateBooking } = PAGE
    expect(may([bookings]).changeBooking(['another'])).toBe(true)
    expect(may([corporateBooking]).changeBooking(['another', null])).toBe(false)
    expect(may([corporateBooking]).changeBooking(['another', 'me'])).toBe(true)
    expect(may([bookings, corporateBooking], [bookings]).changeBooking(['another'])).toBe(false)
    expect(may([bookings, corporateBooking], [bookings]).changeBooking(['me'])).toBe(true)
    expect(may([bookings, corporateBooking], [bookings, corporateBooking]).changeBooking(['me'])).toBe(false)
  })
})

describe('who sees what a colleague sees', () => {
  const seen = may([PAGE.pods, PAGE.users, PAGE.bookings, PAGE.corporateBooking], [PAGE.users], 'colleague')

  it('reads what the colleague may read, and changes nothing', () => {
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

  it('is told of a screen that the colleague only looks at, and of no other', () => {
    expect([seen.onlyView([PAGE.users]), seen.onlyView([PAGE.pods])]).toEqual([true, false])
  })
})

describe('a screen is only looked at', () => {
  it('when none of the pages that admit to it may be changed', () => {
    expect(may([PAGE.pods], [PAGE.pods]).onlyView([PAGE.pods])).toBe(true)
    expect(may([PAGE.pods]).onlyView([PAGE.pods])).toBe(false)
    expect(may([PAGE.users, PAGE.bookings], [PAGE.users]).onlyView([PAGE.users, PAGE.bookings])).toBe(false)
    expect(may([PAGE.users], [PAGE.users]).onlyView([PAGE.users, PAGE.bookings])).toBe(true)
  })

  it('unless there is nothing to change on it anyway', () => {
    expect(may([PAGE.dashboard], [PAGE.dashboard]).onlyView([PAGE.dashboard])).toBe(false)
  })
})
