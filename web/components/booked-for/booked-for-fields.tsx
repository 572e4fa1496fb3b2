import type { ReactNode } from 'react'
import { customerLabels } from '#contract/field-labels.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow } from '#web/ui/form-modal/form-modal.tsx'
import { LookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { type BookedFor, toCustomerOption, useCompanyLookup, useCustomerLookup } from './booked-for.ts'
import { KnownCustomers } from './known-customers.tsx'

const kinds: readonly { value: BookedFor['kind']; label: string }[] = [
  { value: 'me', label: 'Myself' },
  { value: 'customer', label: 'A customer' },
  { value: 'newCustomer', label: 'A new customer' },
  { value: 'company', label: 'A company' },
]

type BookedForFieldsProps = {
  value: BookedFor
  onChange: (value: BookedFor) => void
  /** Messages by the field path that the server uses in its errors. */
  errors: Readonly<Record<string, ReactNode>>
}

/** Fields for whom the booking is made (rules §29.5). */
export function BookedForFields({ value, onChange, errors }: BookedForFieldsProps) {
  const customers = useCustomerLookup()
  const companies = useCompanyLookup()
  const { kind, customer, company, newCustomer } = value
  const field = (name: keyof BookedFor['newCustomer']) => ({
    value: newCustomer[name],
    onChange: (text: string) => onChange({ ...value, newCustomer: { ...newCustomer, [name]: text } }),
    error: errors[`for.${name}`],
  })
  return (
    <>
      <NativeSelect
        label="Booked for"
        options={kinds}
        value={kind}
        onChange={(chosen) => onChange({ ...value, kind: kinds.find((one) => one.value === chosen)?.value ?? 'me' })}
      />
      {kind === 'customer' && (
        <LookupField
          label="Customer"
          placeholder="Search by name, phone or email"
          required
          lookup={customers}
          selected={customer}
          value={customer?.value ?? null}
          onChange={(id) => onChange({ ...value, customer: customers.options.find((one) => one.value === id) })}
          error={errors['for.userId']}
        />
      )}
      {kind === 'newCustomer' && (
        <>
          <FieldRow>
            <TextField label={customerLabels.firstname} required autoComplete="off" {...field('firstname')} />
            <TextField label={customerLabels.lastname} autoComplete="off" {...field('lastname')} />
          </FieldRow>
          <FieldRow>
            <TextField label={customerLabels.email} type="email" autoComplete="off" {...field('email')} />
            <TextField label={customerLabels.mobile} type="tel" autoComplete="off" {...field('mobile')} />
          </FieldRow>
          <KnownCustomers
            mobile={newCustomer.mobile}
            onChoose={(known) => onChange({ ...value, kind: 'customer', customer: toCustomerOption(known) })}
          />
        </>
      )}
      {kind === 'company' && (
        <LookupField
          label="Company"
          placeholder="Search by name or contact"
          required
          lookup={companies}
          selected={company}
          value={company?.value ?? null}
          onChange={(id) => onChange({ ...value, company: companies.options.find((one) => one.value === id) })}
          error={errors['for.companyId']}
        />
      )}
    </>
  )
}
