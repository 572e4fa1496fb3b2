import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode } from 'react'
import { UiProvider } from './provider.tsx'

/** A part inside what every part needs, and a person to use it. */
export function renderUi(part: ReactNode) {
  return { user: userEvent.setup(), ...render(<UiProvider>{part}</UiProvider>) }
}
