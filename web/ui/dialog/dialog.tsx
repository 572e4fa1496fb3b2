import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { IconAction } from '../button/button.tsx'
import { IconX } from '../icons/icons.tsx'
import { focusAgain } from '../keep-focus.ts'
import styles from './dialog.module.css'
import { focusInto, keepTabInside } from './focus-trap.ts'
import { findOverlayRoot } from './overlay-root.ts'

export type DialogWidth = 400 | 500 | 720

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
  /** Escape and clicks outside do nothing, as while a second dialog asks something. */
  held?: boolean
  /** 'alertdialog' interrupts: confirmations and messages, described by their own body. */
  role?: 'dialog' | 'alertdialog'
}

/**
 * What every dialog stands on. It is open while it is rendered: `{dialog === 'edit' && <EditPod … />}`.
 * The focus goes to the first field (or what carries `autoFocus`) and returns to where it came from. Our own rather than
 * the browser's modal dialog, over which neither a list of choices nor a toast could lie.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, width = 400, footer, compact = false, held = false, role = 'dialog' } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const pressedOutside = useRef(false)
  const [opener] = useState(() => document.activeElement)

  // Closing is unmounting.
  useLayoutEffect(() => {
    const cancel = box.current ? giveFocus(box.current) : undefined
    return () => {
      cancel?.()
      focusAgain(opener)
    }
  }, [opener])

  // On the window: keys also come while nothing in the dialog has the focus, as when its button was disabled.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!box.current || !isOnTop(box.current)) return
      if (event.key === 'Tab') keepTabInside(box.current, event)
      if (event.key !== 'Escape' || held || event.defaultPrevented || isForDropdown(event)) return
      // One Escape closes one dialog: the next may be on top before it hears of the same key.
      event.preventDefault()
      onClose()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [held, onClose])

  return createPortal(
    <div className={styles.root} data-compact={compact || undefined}>
      <div className={styles.overlay} />
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keyboard has Escape */}
      <div
        className={styles.inner}
        onMouseDown={(event) => {
          pressedOutside.current = event.target === event.currentTarget
        }}
        onClick={(event) => {
          // A text that is marked beyond the edge of the dialog does not close it.
          if (!held && pressedOutside.current && event.target === event.currentTarget) onClose()
        }}
      >
        <div
          ref={box}
          role={role}
          aria-modal
          aria-labelledby={`${id}-title`}
          aria-describedby={role === 'alertdialog' ? `${id}-body` : undefined}
          tabIndex={-1}
          className={styles.content}
          style={{ '--dialog-width': `${width}px` }}
        >
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
      </div>
    </div>,
    findOverlayRoot(),
  )
}

/**
 * Once the dialog is painted: to focus before asks for its style and layout in the middle of the script that draws it,
 * half as much work again. A key that comes earlier brings the focus with it, so that what it types arrives. Returns
 * what cancels it.
 */
function giveFocus(box: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(focus)
  })
  window.addEventListener('keydown', focus, true)

  function stop() {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    window.removeEventListener('keydown', focus, true)
  }
  function focus() {
    stop()
    focusInto(box)
  }
  return stop
}

function isOnTop(box: HTMLElement): boolean {
  return [...document.querySelectorAll('[aria-modal=true]')].at(-1) === box
}

/** An open list of choices closes first; the library marks its input so. */
function isForDropdown({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true'
}
