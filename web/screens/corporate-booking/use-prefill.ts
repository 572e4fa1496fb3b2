import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FreeInstead } from '#contract/booking-actions.ts'
import type { Pod } from '#contract/pods.ts'
import type { Selection } from '#contract/slot-selection.ts'
import { marks, purposes, toMarks } from '#contract/slots.ts'
import { apiQuery } from '#web/api/query.ts'
import { type BookedFor, forOneself, toCompanyOption, toCustomerOption } from '#web/components/booked-for/booked-for.ts'
import { isDay } from '#web/lib/days.ts'
import { textParam } from '#web/lib/url-state.ts'

export const prefillParams = {
  pod: textParam(),
  date: textParam(),
  start: textParam(),
  end: textParam(),
  customer: textParam(),
  company: textParam(),
  purpose: textParam(),
  again: textParam(),
  beside: textParam(),
}

type Asked = Readonly<Record<keyof typeof prefillParams, string>>

export type Prefill = {
  purpose: string | null
  pod: Pod | undefined
  /** 'YYYY-MM-DD', or '' for today. */
  date: string
  selection: Selection
  bookedFor: BookedFor
  /** With `beside`: the pods that are free at that booking's time; `pod` is the first of them. */
  freeThen: FreeInstead['pods'] | undefined
}

/**
 * Returns the initial values that a link to this screen asks for (rules §29.6): a pod, a date, `start` and `end` as
 * 09:00, a customer or a company, a purpose, all of an earlier booking but its date (`again`), or a pod that is free at a
 * booking's time (`beside`). Undefined while they load; leaves out what cannot be found. Once they have loaded, they stay
 * as they are, so that the form does not start over when somebody else changes what it was filled in with.
 */
export function usePrefill(asked: Asked): Prefill | undefined {
  const { pod, date, start, end, customer, company, purpose, again, beside } = asked
  const [loaded, setLoaded] = useState<Prefill>()
  const whileLoading = (id: string) => ({ enabled: loaded === undefined && id !== '' })
  const earlier = useQuery({ ...apiQuery('bookings', 'get', { params: { id: again } }), ...whileLoading(again) })
  const booking = earlier.data?.data
  const free = useQuery({
    ...apiQuery('bookingActions', 'freePods', { params: { id: beside } }),
    ...whileLoading(beside),
  })
  const freeThen = free.data?.data.pods
  const podId = pod || booking?.podId || freeThen?.[0]?.podId || ''
  const customerId = customer || (company === '' && booking?.customerId) || ''
  const companyId = company || (customer === '' && booking?.company?._id) || ''
  const pods = useQuery({
    ...apiQuery('pods', 'list', { query: { search: podId, page: 1, limit: 1, status: 'active' } }),
    ...whileLoading(podId),
  })
  const person = useQuery({ ...apiQuery('users', 'get', { params: { id: customerId } }), ...whileLoading(customerId) })
  const firm = useQuery({ ...apiQuery('companies', 'get', { params: { id: companyId } }), ...whileLoading(companyId) })
  if (loaded || [earlier, free, pods, person, firm].some(({ isLoading }) => isLoading)) return loaded
  const found = pods.data?.data.find(({ _id, location }) => _id === podId && !location.isBlocked)
  const [from, to] = booking ? toMarks(booking) : []
  const times = new Set([start || from, end || to])
  const customerOption = person.data && !person.data.data.isBlocked ? toCustomerOption(person.data.data) : undefined
  const companyOption = firm.data && toCompanyOption(firm.data.data)
  setLoaded({
    purpose: purposes.find((one) => one === purpose) ?? (booking?.bookingPurpose || null),
    pod: found,
    date: isDay(date) ? date : '',
    selection: marks.filter((mark) => times.has(mark)),
    bookedFor: {
      ...forOneself,
      // Also for someone blocked or deleted since: the form then asks for another, and does not book for oneself.
      kind: customerId !== '' ? 'customer' : companyId !== '' ? 'company' : 'me',
      customer: customerOption,
      company: companyOption,
    },
    freeThen,
  })
  return undefined
}
