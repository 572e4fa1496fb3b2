import { describe, expect, it } from 'vitest'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { toMay } from './may.ts'

const me = { user: { _id: 'me' } } as never // a login response, of which only the id is read
const may = (pages: readonly PageCode[], viewOnlyPages: readonly PageCode[] = []) =>
  toMay({ pages, viewOnlyPages, userData: me })

describe('what one may do', () => {
  it('is what one of an endpoint’s pages allows: to look, or to change', () => {
    expect(may([PAGE.pods]).call('pods.create')).toBe(true)
    expect(may([PAGE.pods], [PAGE.pods]).call('pods.create')).toBe(false)
    expect(may([PAGE.pods], [PAGE.pods]).call('pods.export')).toBe(true)
    expect(may([PAGE.features]).call('pods.export')).toBe(false)
    // Of two pages the one that may be changed.
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
