// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderUi } from '../testing.tsx'
import { PasswordField } from './fields.tsx'

afterEach(cleanup)

describe('fields of passwords', () => {
  it('have toggles that are named after them, so that each can be told from the others', async () => {
    const { user } = renderUi(
      <>
        <PasswordField label="Current password" />
        <PasswordField label="New password" />
      </>,
    )
    await user.click(screen.getByRole('button', { name: 'Show new password' }))
    expect(screen.getByLabelText('New password')).toHaveProperty('type', 'text')
    expect(screen.getByLabelText('Current password')).toHaveProperty('type', 'password')
    screen.getByRole('button', { name: 'Hide new password' })
    screen.getByRole('button', { name: 'Show current password' })
  })
})
