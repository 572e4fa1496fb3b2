import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { IconAction } from './button.tsx'
import styles from './dialog.module.css'
import { IconX } from './icons.tsx'

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

/**
 * What every dialog stands on. It is open while it is rendered: `{dialog === 'edit' && <EditPod … />}`.
 * The focus goes to the first field (or what carries `autoFocus`) and returns to where it came from.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, width = 400, footer, compact = false, held = false, role = 'dialog' } = props
  const [opener] = useState(() => document.activeElement)

  // Closing is unmounting, and the library returns the focus only when `opened` turns false.
  useEffect(() => () => focusAgain(opener), [opener])

  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={width}
      lockScroll={false}
      returnFocus={false}
      closeOnEscape={!held}
      closeOnClickOutside={!held}
      transitionProps={{ duration: 0 }}
      classNames={{ inner: styles.inner ?? '', content: styles.content ?? '' }}
      mod={{ compact }}
    >
      <Modal.Overlay className={styles.overlay ?? ''} />
      <Modal.Content role={role}>
        <Modal.Header component="div" className={styles.header ?? ''}>
          <Modal.Title className={styles.title ?? ''}>{title}</Modal.Title>
        </Modal.Header>
        {role === 'alertdialog' ? (
          <Modal.Body className={styles.body ?? ''}>{children}</Modal.Body>
        ) : (
          <div className={styles.body}>{children}</div>
        )}
        {footer && <div className={styles.footer}>{footer}</div>}
        {/* Last in the order, so that the first field comes first; drawn at the top right. */}
        <IconAction label="Close" icon={<IconX />} className={styles.close} onClick={onClose} disabled={held} />
      </Modal.Content>
    </Modal.Root>
  )
}
