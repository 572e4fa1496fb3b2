import { useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isTyping } from '#web/lib/is-typing.ts'
import { isPlainClick } from '#web/lib/link.tsx'
import { Button, IconAction } from '../button/button.tsx'
import { IconAlertTriangle, IconCircleCheck, IconX } from '../icons/icons.tsx'
import { Spinner } from '../spinner/spinner.tsx'
import styles from './toast-region.module.css'
import {
  closeToast,
  isTopRegion,
  listToasts,
  openRegion,
  subscribeToToasts,
  TOAST_HIDE_MS,
  type Toast,
  UNDO_HIDE_MS,
  undoToast,
} from './toasts.ts'

const icons = {
  success: <IconCircleCheck />,
  failure: <IconAlertTriangle />,
  warning: <IconAlertTriangle />,
  progress: <Spinner size={18} />,
}

const isUrgent = ({ tone }: Toast) => tone === 'failure' || tone === 'warning'

function ToastCard({ toast }: { toast: Toast }) {
  const card = useRef<HTMLDivElement>(null)
  const [isHeld, setHeld] = useState(false)

  // A success closes by itself, but not while it is hovered or has the focus.
  useEffect(() => {
    if (toast.tone !== 'success' || isHeld) return
    const timer = window.setTimeout(() => closeToast(toast.id), toast.undo ? UNDO_HIDE_MS : TOAST_HIDE_MS)
    return () => window.clearTimeout(timer)
  }, [toast, isHeld])

  return (
    <div
      ref={card}
      className={styles.toast}
      data-tone={toast.tone}
      // Screen readers announce a failure or a warning at once, and the others, which are in a polite list, at the next pause.
      role={isUrgent(toast) && !toast.isAnnounced ? 'alert' : undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(card.current?.contains(document.activeElement) === true)}
      onFocus={() => setHeld(true)}
      onBlur={({ relatedTarget }) =>
        setHeld(card.current?.contains(relatedTarget) === true || card.current?.matches(':hover') === true)
      }
    >
      <span className={styles.icon}>{icons[toast.tone]}</span>
      <div className={styles.words}>
        <span>{toast.text}</span>
        {(toast.note || toast.link) && (
          <span>
            {toast.note} {toast.link && <FollowedLink link={toast.link} onFollow={() => closeToast(toast.id)} />}
          </span>
        )}
        {toast.detail && (
          <span className={styles.detail} aria-live="off">
            {toast.detail}
          </span>
        )}
        {toast.requestId && <span className={styles.request}>Request {toast.requestId}</span>}
      </div>
      {toast.action && (
        <Button
          size="small"
          onClick={() => {
            closeToast(toast.id)
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </Button>
      )}
      {toast.undo && (
        <Button
          size="small"
          aria-keyshortcuts="Control+Z Meta+Z"
          data-tooltip={UNDO_KEYS}
          onClick={() => undoToast(toast)}
        >
          Undo
        </Button>
      )}
      {toast.cancel ? (
        <Button size="small" onClick={toast.cancel}>
          Cancel
        </Button>
      ) : (
        <IconAction size="small" label="Close" icon={<IconX size={16} />} onClick={() => closeToast(toast.id)} />
      )}
    </div>
  )
}

const UNDO_KEYS = /Mac|iP/.test(navigator.platform) ? '⌘Z' : 'Ctrl+Z'

/** On Ctrl+Z or Cmd+Z, undoes what the newest toast with an Undo reports. In a text field the keys undo the typing. */
function undoByKey(event: KeyboardEvent) {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
  if (!isUndo || event.defaultPrevented || isTyping(event.target)) return
  const toast = listToasts().findLast(({ undo }) => undo !== undefined)
  if (!toast) return
  event.preventDefault()
  undoToast(toast)
}

function FollowedLink({ link, onFollow }: { link: NonNullable<Toast['link']>; onFollow: () => void }) {
  return (
    <a
      href={link.href}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onFollow()
        link.follow(link.href)
      }}
    >
      {link.label}
    </a>
  )
}

/**
 * Where toasts appear. It is part of UiProvider and of each dialog, because nothing outside a modal dialog can be used
 * or is read out. The polite lists are rendered from the start, so that screen readers announce what is added.
 */
export function ToastRegion() {
  const id = useId()
  const toasts = useSyncExternalStore(subscribeToToasts, listToasts)
  const isOnTop = useSyncExternalStore(subscribeToToasts, () => isTopRegion(id))
  useLayoutEffect(() => openRegion(id), [id])
  // A layout effect, so that the keys work as soon as the toast is seen.
  useLayoutEffect(() => {
    if (!isOnTop) return
    window.addEventListener('keydown', undoByKey)
    return () => window.removeEventListener('keydown', undoByKey)
  }, [isOnTop])
  const list = (isListed: (toast: Toast) => boolean) =>
    toasts
      .filter((toast) => isOnTop && isListed(toast))
      .map((toast) => (
        <li key={toast.id} aria-live={toast.isAnnounced ? 'off' : undefined}>
          <ToastCard toast={toast} />
        </li>
      ))
  return (
    <section className={styles.region} aria-label="Messages" hidden={!isOnTop}>
      <ul>{list(isUrgent)}</ul>
      {/* Not atomic, so that earlier toasts are not read again. Not an <output>, which may not contain a list. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div role="status" aria-atomic={false}>
        <ul>{list(({ tone }) => tone === 'success')}</ul>
        <ul>{list(({ tone }) => tone === 'progress')}</ul>
      </div>
    </section>
  )
}
