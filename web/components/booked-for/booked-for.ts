import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { BookFor } from '#contract/book-for.ts'
import type { Company } from '#contract/companies.ts'
import { toRequiredMessage } from '#contract/errors.ts'
import type { User } from '#contract/users.ts'
import { apiQuery } from '#web/api/query.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { toMoreText } from '#web/components/more-text.ts'
import type { Lookup, LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { toProblem } from '#web/ui/problem.ts'

/** A customer or company that can be booked for; `email` is '' when there is no address. */
type Contact = LookupOption & { email: string }

/** The form's values for whom a booking is. What was entered for one kind is kept while another kind is selected. */
export type BookedFor = {
  kind: BookFor['kind']
  customer: Contact | undefined
  company: Contact | undefined
  newCustomer: { firstname: string; lastname: string; email: string; mobile: string }
}

export const forOneself: BookedFor = {
  kind: 'me',
  customer: undefined,
  company: undefined,
  newCustomer: { firstname: '', lastname: '', email: '', mobile: '' },
}

/** Returns messages for missing values, by the field path that the server uses in its errors. */
export function findBookedForErrors({ kind, customer, company, newCustomer }: BookedFor): Record<string, string> {
  if (kind === 'customer' && !customer) return { 'for.userId': toRequiredMessage('Customer') }
  if (kind === 'company' && !company) return { 'for.companyId': toRequiredMessage('Company') }
  if (kind !== 'newCustomer') return {}
  const { firstname, email, mobile } = newCustomer
  return {
    ...(firstname.trim() === '' && { 'for.firstname': toRequiredMessage('First name') }),
    ...(email.trim() === '' && mobile.trim() === '' && { 'for.email': toRequiredMessage('Email or phone') }),
  }
}

export function toBookFor({ kind, customer, company, newCustomer }: BookedFor): BookFor {
  if (kind === 'customer') return { kind, userId: customer?.value ?? '' }
  if (kind === 'company') return { kind, companyId: company?.value ?? '' }
  return kind === 'newCustomer' ? { kind, ...newCustomer } : { kind }
}

/** Returns the address that the code is sent to: undefined while nobody is chosen, '' for somebody without one. */
export function findEmail({ kind, customer, company, newCustomer }: BookedFor, ownEmail: string): string | undefined {
  if (kind === 'customer') return customer?.email
  if (kind === 'company') return company?.email
  return kind === 'newCustomer' ? newCustomer.email.trim() : ownEmail
}

type ContactLookup = Omit<Lookup, 'options'> & { options: readonly Contact[] }

const LISTED = 50

/** Searches active customers on the server by name, email or number. Sends no request until the field is opened. */
export function useCustomerLookup(): ContactLookup {
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(false)
  const list = useQuery({
    ...apiQuery('users', 'list', { query: { page: 1, limit: LISTED, sort: 'name', status: 'active', search } }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  return {
    ...useOptions(list, toCustomerOption),
    onSearch: setSearch,
    onOpen: () => setOpened(true),
    nothingFound: 'No customer found. Choose “A new customer” to add one.',
  }
}

/** Searches companies on the server. Sends no request until the field is opened. */
export function useCompanyLookup(): ContactLookup {
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(false)
  const list = useQuery({
    ...apiQuery('companies', 'list', { query: { page: 1, limit: LISTED, sort: 'name', status: undefined, search } }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  return {
    ...useOptions(list, toCompanyOption),
    onSearch: setSearch,
    onOpen: () => setOpened(true),
    nothingFound: 'No company found. Companies are added on their own screen.',
  }
}

function useOptions<Row>(list: UseQueryResult<ApiResponse<readonly Row[]>>, toOption: (row: Row) => Contact) {
  const { data, error, isFetching, refetch } = list
  return {
    options: useMemo(() => (data?.data ?? []).map(toOption), [data, toOption]),
    loading: isFetching,
    problem: error && toProblem(error),
    onRetry: () => void refetch(),
    more: toMoreText(data?.total ?? 0, LISTED),
  }
}

export function toCustomerOption({ _id, firstname, lastname, email, mobile }: User): Contact {
  const contact = [mobile, email].filter(Boolean).join(' · ')
  return { value: _id, label: `${firstname} ${lastname}`.trim() || email, detail: contact, email }
}

export function toCompanyOption({ _id, name, contactName, email }: Company): Contact {
  return { value: _id, label: name, email, ...(contactName && { detail: contactName }) }
}
