import type { BookFor } from '#contract/book-for.ts'
import type { Company } from '#contract/companies.ts'
import { toRequiredMessage } from '#contract/errors.ts'
import { toFullName } from '#contract/full-name.ts'
import type { User } from '#contract/users.ts'
import { apiQuery } from '#web/api/query.ts'
import { useLookup } from '#web/components/use-lookup.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'

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

/** The fields of `toBookFor`, by which the server names them in its errors. */
export const bookedForPaths = ['userId', 'companyId', 'firstname', 'lastname', 'email', 'mobile'].map(
  (name) => `for.${name}`,
)

/** Returns messages for missing values, by the field path that the server uses in its errors. */
export function findBookedForErrors({ kind, customer, company, newCustomer }: BookedFor): Record<string, string> {
  if (kind === 'customer' && !customer) return { 'for.userId': toRequiredMessage('Customer') }
  if (kind === 'company' && !company) return { 'for.companyId': toRequiredMessage('Company') }
  if (kind !== 'newCustomer') return {}
  const { firstname, email, mobile } = newCustomer
  return {
    ...(firstname.trim() === '' && { 'for.firstname': toRequiredMessage('First name') }),
    ...(email.trim() === '' && mobile.trim() === '' && { 'for.email': toRequiredMessage('Email or mobile') }),
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

/** Returns who owes what: 'The customer owes R 150.00.' */
export function toOwedText({ kind }: Pick<BookedFor, 'kind'>, owed: string): string {
  return `${kind === 'company' ? 'The company' : 'The customer'} owes ${owed}.`
}

/** Searches active customers by name, email or number. */
export function useCustomerLookup() {
  return useLookup({
    toQuery: (page) => apiQuery('users', 'list', { query: { ...page, sort: 'name', status: 'active' } }),
    toOptions: toCustomerOptions,
    nothingFound: 'No customer found. Choose “A new customer” to add one.',
  })
}

export function useCompanyLookup() {
  return useLookup({
    toQuery: (page) => apiQuery('companies', 'list', { query: { ...page, sort: 'name' } }),
    toOptions: toCompanyOptions,
    nothingFound: 'No company found. Companies are added on their own screen.',
  })
}

const toCustomerOptions = (customers: readonly User[]) => customers.map(toCustomerOption)
const toCompanyOptions = (companies: readonly Company[]) => companies.map(toCompanyOption)

export function toCustomerOption(customer: User): Contact {
  const { _id, email, mobile } = customer
  const contact = [mobile, email].filter(Boolean).join(' · ')
  return { value: _id, label: toFullName(customer) || email, detail: contact, email }
}

/** Several companies may have the same name: what else is known of each tells them apart. */
export function toCompanyOption({ _id, name, contactName, email, phone, vatNumber, costCentre }: Company): Contact {
  const contact = [contactName, email || phone].filter(Boolean).join(' · ')
  return { value: _id, label: name, detail: contact || vatNumber || costCentre, email }
}
