import { toFullName } from '#contract/full-name.ts'
import type { Pod } from '#contract/pods.ts'
import type { User } from '#contract/users.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import type { RecordSource } from '#web/components/record-filter.tsx'

/** All pods, including blocked ones, which can have bookings. */
export const podSource: RecordSource<Pod> = {
  domain: 'pods',
  list: (page, signal) => api('pods', 'list', { query: { ...page, sort: 'title' }, signal }),
  get: (id, signal) => api('pods', 'get', { params: { id }, signal }),
  toOption: ({ _id, title, location, isBlocked }) => ({
    value: _id,
    label: title,
    detail: toDetail(`${location.name}, ${location.city}`, isBlocked),
  }),
}

/** Customers. A link may also name a staff member, whose bookings are corporate ones (rules §4.9). */
export const customerSource: RecordSource<User> = {
  domain: 'users',
  list: (page, signal) => api('users', 'list', { query: { ...page, sort: 'name' }, signal }),
  // A deleted customer's page links here, and only this endpoint still knows them; it knows no staff.
  get: (id, signal) =>
    api('users', 'customer', { params: { id }, signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return api('users', 'get', { params: { id }, signal })
      throw error
    }),
  toOption: (customer) => ({
    value: customer._id,
    label: toFullName(customer) || customer.email,
    detail: toDetail(customer.email, customer.isBlocked),
  }),
}

function toDetail(words: string, isBlocked: boolean): string {
  return isBlocked ? `${words} · blocked` : words
}
