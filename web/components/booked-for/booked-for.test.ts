import { describe, expect, it } from 'vitest'
import type { Company } from '#contract/companies.ts'
import { toCompanyOption } from './booked-for.ts'

const company: Company = {
  _id: '1',
  name: 'Protea',
  contactName: '',
  email: '',
  phone: '',
  vatNumber: '4123456780',
  billingAddress: '',
  costCentre: 'R&D',
  version: 1,
}

describe('A company in a list of choices', () => {
  it.each([
    [
      { contactName: 'Priya Naidoo', email: 'priya@protea.example', phone: '0215550100' },
      'Priya Naidoo · priya@protea.example',
    ],
    [{ contactName: 'Priya Naidoo', phone: '0215550100' }, 'Priya Naidoo · 0215550100'],
    [{ phone: '0215550100' }, '0215550100'],
    [{}, '4123456780'],
    [{ vatNumber: '' }, 'R&D'],
    [{ vatNumber: '', costCentre: '' }, ''],
  ])('is told apart by what is known of it: %j', (known, detail) => {
    expect(toCompanyOption({ ...company, ...known })).toMatchObject({ label: 'Protea', detail })
  })
})
