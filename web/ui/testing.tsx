import { configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { UiProvider } from './provider.tsx'

// Dialogs are loaded as separate chunks, which can take a while on a busy machine.
configure({ asyncUtilTimeout: 5000 })

// The simulated browser has no popovers, which tooltips are.
Object.assign(HTMLElement.prototype, { togglePopover: () => false })

/** Renders a component inside UiProvider. Returns its queries and a simulated user. */
export function renderUi(part: ReactNode) {
  return { user: userEvent.setup(), ...render(<UiProvider>{part}</UiProvider>) }
}
