// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Change } from '#contract/audit.ts'
import { ChangeItem } from './change-item.tsx'

afterEach(cleanup)

it('says where a confirmation was sent only once', () => {
  const change = { action: 'send', entity: 'booking', reason: 'a@example.com', undoes: null, before: null, after: null }
  const actor = { kind: 'staff', _id: null, name: 'Thandi Nkosi' }
  const sent = { ...change, actor, at: '2026-11-21T09:00:00.000Z', names: {} } as unknown as Change // only what is shown
  render(<ChangeItem change={sent} />)
  expect(screen.getByRole('article').textContent.match(/a@example\.com/g)).toHaveLength(1)
})
