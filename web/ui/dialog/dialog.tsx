import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconAction } from '../button/button.tsx'
import { IconX } from '../icons/icons.tsx'
import { findFirst, focusAgain } from '../keep-focus.ts'
import { ToastRegion } from '../toasts/toast-region.tsx'
import styles from './dialog.module.css'

export type DialogWidth = 400 | 500 | 720

/** The last one is on top. */
const openDialogs: HTMLDialogElement[] = []

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  /** In px, on a desktop; on a phone the dialog fills the screen unless `compact`. */
  width?: DialogWidth
  /** Buttons at the foot, Cancel first. */
  footer?: ReactNode
  /** For little text: stays a small box on a phone too. */
  compact?: boolean
  /** Drawn as a drawer: along the right edge, from top to bottom. Its title gets the focus, as it is there to be read. */
  side?: boolean
  /** The title gets the focus, as in a drawer: a field would open the keyboard of a phone. */
  titleFirst?: boolean
  /** Prevents closing: Escape, clicks outside and the close button do nothing. */
  held?: boolean
  /** 'alertdialog' is for confirmations and messages, which are described by their body. */
  role?: 'dialog' | 'alertdialog'
}

/**
 * The base of every dialog: the browser's own modal `<dialog>`, which is open while it is rendered:
 * `{dialog === 'edit' && <EditPod … />}`. The focus goes to the element with `data-autofocus` (set by a field's
 * `autoFocus`), or else to the first field, and returns to where it came from.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, width = 400, footer, compact = false, side = false, held = false, role } = props
  const titleFirst = side || (props.titleFirst ?? false)
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const pressedOutside = useRef(false)

  // Unmounting closes the dialog.
  useLayoutEffect(() => {
    const node = dialog.current
    if (!node) return
    // If this dialog replaces another, that one has already given the focus back to where it came from.
    const opener = document.activeElement
    node.showModal()
    openDialogs.push(node)
    // Chromium takes a body that scrolls for the first thing to focus: what it chooses in a short one gets it instead.
    const first = document.activeElement === body.current ? findFirst([...(body.current?.children ?? [])]) : undefined
    const target = node.querySelector<HTMLElement>('[data-autofocus]') ?? first
    target?.focus({ preventScroll: true })
    return () => {
      openDialogs.splice(openDialogs.indexOf(node), 1)
      node.close()
      focusAgain(opener)
    }
  }, [])

  // Browsers let a page prevent Escape from closing a dialog only once, and close it at the next Escape. Listens on the
  // window, which gets the event last: an open list in the dialog has then handled the key, if it is for the list.
  useLayoutEffect(() => {
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
      style={{ '--dialog-width': `${width / 16}rem` }}
      closedby="none"
      aria-labelledby={`${id}-title`}
      aria-describedby={role === 'alertdialog' ? `${id}-body` : undefined}
      onMouseDown={(event) => {
        const isOutside = event.target === event.currentTarget
        const isDouble = event.detail > 1
        pressedOutside.current = isOutside && !isDouble
        // The second click of a double click that has opened the dialog does not take the focus from it either.
        if (isOutside && isDouble) event.preventDefault()
      }}
      onClick={(event) => {
        // Selecting text and releasing the mouse outside the dialog does not close it.
        if (!held && pressedOutside.current && event.target === event.currentTarget) onClose()
      }}
    >
      <div className={styles.content}>
        <div className={styles.header}>
          <h2
            id={`${id}-title`}
            className={styles.title}
            tabIndex={titleFirst ? -1 : undefined}
            data-autofocus={titleFirst || undefined}
          >
            {title}
          </h2>
        </div>
        <div ref={body} id={`${id}-body`} className={styles.body}>
          {children}
        </div>
        {footer && <div className={styles.footer}>{footer}</div>}
        {/* Last in the tab order, so that the first field comes first; drawn at the top right. */}
        <IconAction label="Close" icon={<IconX />} className={styles.close} onClick={onClose} disabled={held} />
      </div>
      {/* Toasts outside a modal dialog can be neither seen nor used. */}
      <ToastRegion />
    </dialog>
  )
}

/** Returns whether Escape is for this dialog: a second dialog, or a popover such as a calendar, is closed first. */
function takesEscape(dialog: HTMLDialogElement | null): boolean {
  return openDialogs.at(-1) === dialog && !dialog?.querySelector('[popover=auto]:popover-open')
}
