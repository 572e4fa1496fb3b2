import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { IconAction } from '#web/ui/button/button.tsx'
import { IconX } from '#web/ui/icons/icons.tsx'
import { findFirst } from '#web/ui/keep-focus.ts'
import styles from './drawer.module.css'

/**
 * The sidebar on a phone or tablet, sliding in from the left. It is open while it is rendered. The native modal dialog
 * traps the focus, closes on Escape and returns the focus.
 */
export function Drawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)

  // Only showModal opens a dialog as modal. It must be closed before it is removed, so that it returns the focus.
  useLayoutEffect(() => {
    const node = dialog.current
    node?.showModal()
    // On a low screen Chromium would focus what scrolls, whose name is all that is in it.
    if (node) findFirst([node])?.focus({ preventScroll: true })
    return () => node?.close()
  }, [])

  // The target of a click on the backdrop is the dialog itself. The browser handles Escape.
  useEffect(() => {
    const node = dialog.current
    const onClick = (event: MouseEvent) => event.target === node && onClose()
    node?.addEventListener('click', onClick)
    return () => node?.removeEventListener('click', onClick)
  }, [onClose])

  return (
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label={label}
      onClose={(event) => !event.currentTarget.open && onClose()}
    >
      <div className={styles.content}>
        {children}
        <IconAction label="Close menu" icon={<IconX />} className={styles.close} onClick={onClose} />
      </div>
    </dialog>
  )
}
