import { configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { UiProvider } from './provider.tsx'

// Dialogs come as a chunk of their own, and a busy machine takes its time.
configure({ asyncUtilTimeout: 5000 })

/** A part inside what every part needs, and a person to use it. */
export function renderUi(part: ReactNode) {
  return { user: userEvent.setup(), ...render(<UiProvider>{part}</UiProvider>) }
}
