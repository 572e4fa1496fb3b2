import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { searchKinds } from '#contract/search-groups.ts'
import type { SearchResult } from '#contract/search.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { useSettled } from '#web/lib/delayed.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { bookingPath, customerPath, screensOfKinds } from '#web/paths.ts'
import type { HeaderSearchProps } from './header-search.tsx'
import { RecordResults } from './record-results.tsx'

type Group = SearchResult['groups'][number]
export type Hit = Group['hits'][number] & { group: Group['group'] }

const DEBOUNCE_MS = 200

/** The header's search over all records that the person may see. Choosing one opens it on its screen (rules §12.8). */
export function useRecordSearch(): HeaderSearchProps {
  const goTo = useGoTo()
  const pages = useSession()?.pages ?? []
  const listId = useId()
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [pointed, setPointed] = useState(0)
  // Enter searches at once and opens the first hit for exactly these words, never for earlier ones.
  const [entered, setEntered] = useState<string>()
  const settled = useSettledText(text.trim())
  const q = entered ?? settled
  const isAsked = open && q !== ''
  const search = useQuery({ ...apiQuery('search', 'find', { query: { q } }), enabled: isAsked })
  const hits = (search.data?.data.groups ?? []).flatMap(({ group, hits }) => hits.map((hit) => ({ ...hit, group })))
  // Fewer may come than an arrow key has passed meanwhile.
  const active = Math.min(pointed, hits.length - 1)
  const optionId = (index: number) => `${listId}-${index}`
  const hasResults = isAsked && text.trim() !== ''
  // While searching, and when nothing was found, no list is rendered to refer to.
  const isListed = hasResults && !search.error && hits.length > 0

  // Opens the first hit once the response that Enter waits for has come.
  const isAnswered = entered !== undefined && !search.isPending
  useEffect(() => {
    if (isAnswered) choose(hits[0])
  })

  function choose(hit: Hit | undefined) {
    if (hit === undefined) return
    setOpen(false)
    setText('')
    setEntered(undefined)
    goTo(toScreenPath(hit, pages))
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') {
      if (open && text !== '') event.preventDefault()
      setOpen(false)
      setEntered(undefined)
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || hits.length === 0) return
    event.preventDefault()
    setOpen(true)
    setPointed((active + step + hits.length) % hits.length)
  }

  return {
    value: text,
    onChange: (next) => {
      setText(next)
      setEntered(undefined)
      setOpen(true)
      setPointed(0)
    },
    onSubmit: () => {
      if (text.trim() === '') return
      setOpen(true)
      if (q === text.trim() && isAsked && !search.isPending) choose(hits[active])
      else setEntered(text.trim())
    },
    onKeyDown,
    onFocus: () => setOpen(true),
    onLeave: () => {
      setOpen(false)
      setEntered(undefined)
    },
    listId: isListed ? listId : undefined,
    activeOptionId: isListed ? optionId(active) : undefined,
    results: hasResults && (
      <RecordResults
        listId={listId}
        optionId={optionId}
        hits={hits}
        active={active}
        search={search}
        onPoint={setPointed}
        onChoose={choose}
      />
    ),
  }
}

/** Returns the text once it has not changed for DEBOUNCE_MS; an empty text at once. */
export function useSettledText(text: string): string {
  return useSettled(text, text === '' ? 0 : DEBOUNCE_MS)
}

/**
 * Returns the path that shows a hit to somebody with these pages. The lists search by its id, as others may have the
 * same name; without the list, a booking is shown on its own page.
 */
export function toScreenPath(hit: Hit, pages: readonly PageCode[]): string {
  if (hit.group === 'bookings' && !pages.includes(PAGE.bookings)) return bookingPath(hit._id)
  if (hit.group === 'users') return customerPath(hit._id)
  return screensOfKinds[searchKinds[hit.group]]({ search: hit._id })
}
