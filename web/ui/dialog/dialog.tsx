import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconAction } from '../button/button.tsx'
import { IconX } from '../icons/icons.tsx'
import { focusAgain } from '../keep-focus.ts'
import { ToastRegion } from '../toasts/toast-region.tsx'
import styles from './dialog.module.css'

export type DialogWidth = 400 | 500 | 720

/** The last one is on top. */
const openDialogs: HTMLDialogElement[] = []

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  /** Px on a desktop; a phone gives the whole screen unless `compact`. */
  width?: DialogWidth
  /** Buttons at the foot, Cancel first. */
  footer?: ReactNode
  /** Few words: stays a small box on a phone too. */
  compact?: boolean
  /** Stands at the right edge, from top to bottom: a drawer. */
  side?: boolean
  /** Escape and clicks outside do nothing, as while a second dialog asks something. */
  held?: boolean
  /** 'alertdialog' interrupts: confirmations and messages, described by their own body. */
  role?: 'dialog' | 'alertdialog'
}

/**
 * What every dialog stands on: the browser's own modal dialog. It is open while it is rendered:
 * `{dialog === 'edit' && <EditPod … />}`. The focus goes to what carries `autoFocus`, else to the first field, and returns to
 * where it came from.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, width = 400, footer, compact = false, side = false, held = false, role } = props
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)

  // Closing is unmounting.
  useLayoutEffect(() => {
    const node = dialog.current
    if (!node) return
    // Of a dialog that takes another's place: that one has given the focus back to where it came from.
    const opener = document.activeElement
    node.showModal()
    openDialogs.push(node)
    node.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
    return () => {
      openDialogs.splice(openDialogs.indexOf(node), 1)
      node.close()
      focusAgain(opener)
    }
  }, [])

  // A browser asks a page only once whether Escape may close a dialog, and closes it itself at the next one. On the
  // window, as last of all: an open list in the dialog has taken the key before, if it is for the list.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !takesEscape(dialog.current)) return
      event.preventDefault()
      if (!held) onClose()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [held, onClose])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard has Escape
    <dialog
      ref={dialog}
      role={role}
      className={styles.dialog}
      data-compact={compact || undefined}
      data-side={side || undefined}
      style={{ '--dialog-width': `${width}px` }}
      closedby="none"
      aria-labelledby={`${id}-title`}
      aria-describedby={role === 'alertdialog' ? `${id}-body` : undefined}
      onMouseDown={(event) => {
        pressedOutside.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        // A text that is marked beyond the edge of the dialog does not close it.
        if (!held && pressedOutside.current && event.target === event.currentTarget) onClose()
      }}
    >
      <div className={styles.content}>
        <div className={styles.header}>
          <h2 id={`${id}-title`} className={styles.title}>
            {title}
          </h2>
        </div>
        <div id={`${id}-body`} className={styles.body}>
          {children}
        </div>
        {footer && <div className={styles.footer}>{footer}</div>}
        {/* Last in the order, so that the first field comes first; drawn at the top right. */}
        <IconAction label="Close" icon={<IconX />} className={styles.close} onClick={onClose} disabled={held} />
      </div>
      {/* What is outside of a modal dialog can be neither seen nor used. */}
      <ToastRegion />
    </dialog>
  )
}

/** A second dialog, or a popover such as a calendar, is closed first. */
function takesEscape(dialog: HTMLDialogElement | null): boolean {
  return openDialogs.at(-1) === dialog && !dialog?.querySelector('[popover=auto]:popover-open')
}
