import type { Query, QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { EditedRecord, Editor, LiveChange } from '#contract/live.ts'
import type { LiveEntity } from '#contract/live-entities.ts'
import { api } from './client.ts'
import { type LiveEvent, startLive } from './live-stream.ts'
import type { Domain } from './request-types.ts'
import { getSession, getUserId } from './session.ts'
import { tabId } from './tab.ts'

/** Whose responses show a kind of record, or its name. */
const shownIn: Readonly<Record<LiveEntity, readonly Domain[]>> = {
  pod: ['pods', 'locations', 'bookings', 'transactions', 'dashboard', 'audit', 'schedule', 'bookingActions'],
  location: [
    'locations',
    'pods',
    'bookings',
    'transactions',
    'dashboard',
    'audit',
    'schedule',
    'bookingActions',
    'messages',
  ],
  feature: ['features', 'pods', 'dashboard', 'audit', 'schedule'],
  customer: ['users', 'bookings', 'transactions', 'dashboard', 'audit', 'schedule', 'bookingActions'],
  company: ['companies', 'bookings', 'audit', 'schedule', 'bookingActions'],
  'role-preset': ['rolePresets', 'audit'],
  staff: ['staff', 'bookings', 'transactions', 'audit', 'schedule', 'bookingActions'],
  closure: ['closures', 'schedule', 'audit'],
  booking: ['bookings', 'companies', 'transactions', 'dashboard', 'audit', 'schedule', 'bookingActions', 'series'],
  transaction: ['transactions', 'dashboard', 'audit', 'bookingActions'],
  settings: ['pricing', 'audit', 'schedule'],
  policy: ['bookingActions', 'secondFactors', 'audit'],
  mail: ['mails', 'failedJobs'],
  template: ['messages', 'audit'],
  'api-key': ['apiKeys', 'audit'],
  webhook: ['webhooks', 'deliveries', 'failedJobs', 'audit'],
}

/** The `meta` of a query for a page of a list that is not its first. */
export const laterPage = { isLaterPage: true }

/** While changes keep coming, screens follow at this pace. */
const PACE_MS = 500
/** A form that stays open says so at this pace; the server forgets it after 45 seconds. */
const EDITING_EVERY_MS = 20_000

const listeners = new Set<(event: LiveEvent) => void>()

function subscribeLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Keeps what is on the screen as it is on the server: asks again for what others have changed. A tab shows its own
 * changes by itself.
 */
export function followChanges(queryClient: QueryClient): () => void {
  let waiting: LiveChange[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAt = Number.NEGATIVE_INFINITY

  function askAgain(isOutdated: (query: Query) => boolean): void {
    // What nobody looks at is asked for when somebody does.
    const refetchType = document.hidden ? 'none' : 'active'
    void queryClient.invalidateQueries({ predicate: isOutdated, refetchType })
  }

  function flush(): void {
    timer = undefined
    lastAt = performance.now()
    const changes = waiting
    waiting = []
    for (const listener of listeners) listener({ event: 'changes', data: changes })
    askAgain(({ queryKey: [domain], meta }) => {
      const shown = changes.filter(({ entity }) => shownIn[entity].some((one) => one === domain))
      // New records would only move those of a later page.
      return meta === laterPage ? shown.some(({ version }) => version !== 1) : shown.length > 0
    })
  }

  return startLive((event) => {
    if (event.event === 'changes') {
      const ofOthers = event.data.filter(({ tab }) => tab !== tabId)
      if (ofOthers.length === 0) return
      waiting.push(...ofOthers)
      timer ??= setTimeout(flush, Math.max(0, PACE_MS - (performance.now() - lastAt)))
      return
    }
    for (const listener of listeners) listener(event)
    if (event.event === 'missed') askAgain(() => true)
  })
}

/** Tells `onChanges` what others have changed, before the screen asks for it. */
export function useLiveChanges(onChanges: (changes: readonly LiveChange[]) => void): void {
  const latest = useRef(onChanges)
  useEffect(() => {
    latest.current = onChanges
  })
  useEffect(() => subscribeLive((event) => event.event === 'changes' && latest.current(event.data)), [])
}

/** Says that one has a record open in a form, and gives who else has. */
export function useEditors(entity: LiveEntity | undefined, id: string | undefined): readonly Editor[] {
  const [editors, setEditors] = useState<readonly Editor[]>([])
  useEffect(() => {
    if (entity === undefined || id === undefined) return
    const self = getUserId(getSession())
    const show = (all: readonly Editor[]) => setEditors(all.filter(({ _id }) => _id !== self))
    const tell = (record: EditedRecord | null) => api('live', 'edit', { body: { record } })
    // Who else edits is good to know, and no reason for a message when it cannot be known.
    const say = () => {
      said = said
        .then(() => tell({ entity, id }))
        .then(
          ({ data }) => show(data.editors),
          () => undefined,
        )
    }
    let said: Promise<unknown> = Promise.resolve()
    say()
    const timer = setInterval(say, EDITING_EVERY_MS)
    const stop = subscribeLive((event) => {
      if (event.event === 'missed') say()
      if (event.event === 'editing' && event.data.entity === entity && event.data.id === id) show(event.data.editors)
    })
    return () => {
      clearInterval(timer)
      stop()
      // After what was said before, and not when signing out has closed the form.
      void said.then(() => getSession() && tell(null).catch(() => undefined))
    }
  }, [entity, id])
  return editors
}
