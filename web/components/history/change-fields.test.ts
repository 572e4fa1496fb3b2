// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { Change } from '#contract/audit.ts'
import { listFieldChanges } from './change-fields.ts'

function listLabels(entity: Change['entity'], after: Record<string, unknown>) {
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, null]))
  return listFieldChanges({ entity, action: 'edit', before, after, names: {} }).map(({ label }) => label)
}

describe('the fields of a change', () => {
  it('have the names that the form of their record gives them', () => {
    const pod = { buffer_minutes: 15, capacity: 4, device_id: 'd1', email: 'host@example.com', pod_user_id: 'u1' }
    expect(listLabels('pod', pod)).toEqual(['Cleaning time', 'Seats', 'Device id', 'Host email', 'User id'])
    expect(listLabels('company', { name: 'Kudu', vat_number: '4' })).toEqual(['Company name', 'VAT number'])
    expect(listLabels('customer', { email: 'thandi@example.com', phone_number: '1' })).toEqual([
      'Email',
      'Phone number',
    ])
  })
})
