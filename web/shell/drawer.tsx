import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { IconAction } from '#web/ui/button/button.tsx'
import { IconX } from '#web/ui/icons/icons.tsx'
import styles from './drawer.module.css'

/**
 * The sidebar on a phone, from the left; open while it is rendered. The browser's own modal dialog holds the focus,
 * closes on Escape and gives the focus back.
 */
export function Drawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)

  // A dialog is modal only when opened by this call. Closed before it leaves the page, it gives the focus back.
  useLayoutEffect(() => {
    const node = dialog.current
    node?.showModal()
    return () => node?.close()
  }, [])

  // A click on the backdrop reports the dialog itself as its target. (Escape needs nothing of us.)
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
