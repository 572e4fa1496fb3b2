import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import { Modal } from '@mantine/core'
import { IconAction } from './button.tsx'
import type { DialogProps } from './dialog.tsx'
import styles from './dialog-inner.module.css'
import { IconX } from './icons.tsx'

/**
 * The library writes its own role over one that it is given. A function of the module, as a new one at each drawing
 * would have the focus trap begin again and take the focus from the field one is in.
 */
function makeAlertDialog(content: HTMLElement | null) {
  content?.setAttribute('role', 'alertdialog')
}

/** The library's part of a Dialog, loaded by dialog.tsx. */
export function DialogInner(props: DialogProps) {
  const { title, onClose, children, width = 400, footer, compact = false, held = false, role = 'dialog' } = props
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
      <Modal.Content ref={role === 'alertdialog' ? makeAlertDialog : null}>
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
