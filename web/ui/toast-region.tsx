import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Button, IconAction } from './button.tsx'
import { IconAlertTriangle, IconCircleCheck, IconX } from './icons.tsx'
import { Spinner } from './spinner.tsx'
import styles from './toast-region.module.css'
import { closeToast, listToasts, subscribeToToasts, TOAST_HIDE_MS, type Toast } from './toasts.ts'

const HELD_CHECK_MS = 1000

const icons = { success: <IconCircleCheck />, failure: <IconAlertTriangle />, progress: <Spinner size={18} /> }

function ToastCard({ toast }: { toast: Toast }) {
  const card = useRef<HTMLLIElement>(null)

  // A success leaves by itself, but not while someone points at it or has the focus in it.
  useEffect(() => {
    if (toast.tone === 'failure') return
    let timer = window.setTimeout(hide, TOAST_HIDE_MS)
    function hide() {
      if (card.current?.matches(':hover, :focus-within')) timer = window.setTimeout(hide, HELD_CHECK_MS)
      else closeToast(toast.id)
    }
    return () => window.clearTimeout(timer)
  }, [toast.id, toast.tone])

  return (
    <li ref={card} className={styles.toast} data-tone={toast.tone}>
      <span className={styles.icon}>{icons[toast.tone]}</span>
      <div className={styles.words}>
        <span>{toast.text}</span>
        {toast.detail && (
          <span className={styles.detail} aria-live="off">
            {toast.detail}
          </span>
        )}
        {toast.requestId && <span className={styles.request}>Request {toast.requestId}</span>}
      </div>
      {toast.retry && (
        <Button
          size="small"
          onClick={() => {
            closeToast(toast.id)
            toast.retry?.()
          }}
        >
          Retry
        </Button>
      )}
      {toast.cancel ? (
        <Button size="small" onClick={toast.cancel}>
          Cancel
        </Button>
      ) : (
        <IconAction size="small" label="Close" icon={<IconX size={16} />} onClick={() => closeToast(toast.id)} />
      )}
    </li>
  )
}

/** Where toasts appear; part of UiProvider. The lists stand from the start, so that screen readers hear what comes in. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToToasts, listToasts)
  const ofTone = (tone: Toast['tone']) =>
    toasts.filter((toast) => toast.tone === tone).map((toast) => <ToastCard key={toast.id} toast={toast} />)
  return (
    <section className={styles.region} aria-label="Messages">
      <ul aria-live="assertive">{ofTone('failure')}</ul>
      <ul aria-live="polite">{ofTone('success')}</ul>
      <ul aria-live="polite">{ofTone('progress')}</ul>
    </section>
  )
}
