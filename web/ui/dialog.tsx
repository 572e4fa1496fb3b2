import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

export type DialogWidth = 400 | 500 | 720

export type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  /** Px on a desktop (spec §9: 400 and 500); a phone gives the whole screen unless `compact`. */
  width?: DialogWidth
  /** Buttons at the foot, Cancel first. */
  footer?: ReactNode
  /** Few words: stays a small box on a phone too. */
  compact?: boolean
  /** Escape and clicks outside do nothing, as while a second dialog asks something. */
  held?: boolean
  /** 'alertdialog' interrupts: confirmations and messages, described by their own body. */
  role?: 'dialog' | 'alertdialog'
}

function focusAgain(opener: Element | null) {
  const target = opener?.isConnected ? opener : document.querySelector('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

const load = () => import('./dialog-inner.tsx')
const LazyDialog = lazy(() => load().then((module) => ({ default: module.DialogInner })))

// No screen waits for its dialogs, and no dialog should have to wait: they come when the browser has nothing else to do.
if (typeof requestIdleCallback === 'function') requestIdleCallback(() => void load())

/**
 * What every dialog stands on. It is open while it is rendered: `{dialog === 'edit' && <EditPod … />}`.
 * The focus goes to the first field (or what carries `autoFocus`) and returns to where it came from.
 */
export function Dialog(props: DialogProps) {
  const [opener] = useState(() => document.activeElement)

  // Closing is unmounting, and the library returns the focus only when `opened` turns false.
  useEffect(() => () => focusAgain(opener), [opener])

  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  )
}
