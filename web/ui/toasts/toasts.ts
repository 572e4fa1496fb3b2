import { createListeners } from '#web/lib/listeners.ts'

/** A link in a toast. `follow` handles a plain click, as toasts are outside the screens and their links. */
type ToastLink = { label: string; href: string; follow: (href: string) => void }

export type Toast = {
  id: number
  tone: 'success' | 'failure' | 'warning' | 'progress'
  text: string
  /** A second sentence. */
  note?: string | undefined
  link?: ToastLink | undefined
  /** A text that changes often; screen readers do not announce it. */
  detail?: string | undefined
  requestId?: string | undefined
  /** A button that closes the toast. */
  action?: { label: string; run: () => void } | undefined
  cancel?: (() => void) | undefined
  /**
   * The record that has changed, or could not be changed: another change of it replaces the toast, whose Undo no longer
   * works, or whose Retry is no longer needed.
   */
  recordId?: string | undefined
  /** Undoes what the toast reports. */
  undo?: (() => void) | undefined
  shownAt: number
  /** Screen readers have announced it, and do not again when it moves into a dialog or out of it. */
  isAnnounced: boolean
}

/** How long a success stays (rules §15.4). A failure stays until it is closed. */
export const TOAST_HIDE_MS = 6000
/** How long a success stays that can be undone (rules §25.1). */
export const UNDO_HIDE_MS = 10_000
const MOST_AT_ONCE = 5
/** What had been shown for less than this when a dialog opened or closed is announced once more. */
const ANNOUNCED_AFTER_MS = 1000

let toasts: readonly Toast[] = []
let lastId = 0
/** Ids of the regions where toasts can appear, newest last: the page itself, then the dialogs over it. */
let regions: readonly string[] = []
const { subscribe, notify } = createListeners()

function replaceToasts(next: readonly Toast[]) {
  toasts = next
  notify()
}

/** Returns whether toasts appear in this region: only in that of the topmost dialog, or else of the page. */
export function isTopRegion(region: string): boolean {
  return region === regions.at(-1)
}

export function listToasts(): readonly Toast[] {
  return toasts
}

/** Adds a region. Returns a function that removes it. */
export function openRegion(region: string): () => void {
  replaceRegions([...regions, region])
  return () => replaceRegions(regions.filter((other) => other !== region))
}

function replaceRegions(next: readonly string[]) {
  const now = Date.now()
  regions = next
  replaceToasts(
    toasts.map((toast) => ({ ...toast, isAnnounced: toast.isAnnounced || now - toast.shownAt > ANNOUNCED_AFTER_MS })),
  )
}

export const subscribeToToasts = subscribe

/** Closes the toast, and undoes what it reports. */
export function undoToast({ id, undo }: Toast) {
  closeToast(id)
  undo?.()
}

export function closeToast(id: number) {
  replaceToasts(toasts.filter((toast) => toast.id !== id))
}

export function closeToasts() {
  replaceToasts([])
}

function showToast(toast: Omit<Toast, 'id' | 'shownAt' | 'isAnnounced'>): number {
  lastId += 1
  // A toast with the same text replaces the old one instead of piling up, unless that would take its Undo away, or the
  // Retry of another record.
  const isOfSameRecord = ({ recordId }: Toast) => recordId !== undefined && recordId === toast.recordId
  const isNeeded = ({ undo, action, recordId }: Toast) => undo || (action && recordId !== toast.recordId)
  const others = toasts.filter(
    (other) => !isOfSameRecord(other) && (isNeeded(other) || other.text !== toast.text || other.tone !== toast.tone),
  )
  replaceToasts([...others, { ...toast, id: lastId, shownAt: Date.now(), isAnnounced: false }].slice(-MOST_AT_ONCE))
  return lastId
}

/** Says that something worked; hides itself after six seconds, after ten with an Undo. */
export function showSuccess(text: string, more: Pick<Toast, 'note' | 'link' | 'recordId' | 'undo'> = {}): number {
  return showToast({ tone: 'success', text, ...more })
}

/** Says that something failed and what to do next; stays until closed, or until Retry is chosen. */
export function showFailure(
  text: string,
  { retry, ...more }: { retry?: () => void } & Pick<Toast, 'requestId' | 'recordId'> = {},
): number {
  return showToast({ tone: 'failure', text, ...more, action: retry && { label: 'Retry', run: retry } })
}

/** Warns of something that is about to happen; stays until closed. */
export function showWarning(text: string, more: Pick<Toast, 'note' | 'action'> = {}): number {
  return showToast({ tone: 'warning', text, ...more })
}

type ShownProgress = { update: (detail: string) => void; close: () => void }

/** Says that something takes a while; stays until the caller closes it or the person cancels. */
export function showProgress(text: string, options: { onCancel: () => void }): ShownProgress {
  const id = showToast({
    tone: 'progress',
    text,
    cancel: () => {
      closeToast(id)
      options.onCancel()
    },
  })
  return {
    update: (detail) =>
      replaceToasts(toasts.map((toast) => (toast.id === id ? Object.assign({}, toast, { detail }) : toast))),
    close: () => closeToast(id),
  }
}
