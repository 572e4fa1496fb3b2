// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { companyLabels, customerLabels, podLabels, staffLabels } from '#contract/field-labels.ts'
import type { Customer } from '#contract/users.ts'
import { queryClient } from '#web/api/query-client.ts'
import { renderUi } from '#web/ui/testing.tsx'
import { CompanyForm } from './companies/company-form.tsx'
import { ContactForm } from './customer/contact-form.tsx'
import { PodForm } from './pods/pod-form.tsx'
import { StaffForm } from './staff/staff-form.tsx'

afterEach(cleanup)

const nothing = () => undefined
const customer = { _id: '', version: 1, firstname: '', lastname: '', email: '', mobile: '' } as Customer // only what the form shows

it.each([
  { kind: 'company', form: () => <CompanyForm company={undefined} onClose={nothing} />, labels: companyLabels },
  { kind: 'customer', form: () => <ContactForm customer={customer} onClose={nothing} />, labels: customerLabels },
  { kind: 'pod', form: () => <PodForm pod={undefined} onClose={nothing} />, labels: podLabels },
  {
    kind: 'staff member',
    form: () => <StaffForm staff={undefined} onLinkNeeded={nothing} onClose={nothing} />,
    labels: staffLabels,
  },
])('the form of a $kind shows each field that has a label', async ({ form, labels }) => {
  renderUi(<QueryClientProvider client={queryClient}>{form()}</QueryClientProvider>)
  const dialog = await screen.findByRole('dialog')
  // The simulated browser does not unfold what is clicked.
  for (const folded of dialog.querySelectorAll('details')) {
    folded.open = true
    fireEvent(folded, new Event('toggle'))
  }
  const missing = Object.entries<string>(labels).filter(([, label]) => screen.queryAllByText(label).length === 0)
  expect(missing, 'fields of contract/field-labels.ts that the form does not show').toEqual([])
})
