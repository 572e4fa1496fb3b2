import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { PAGE } from '#contract/pages.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { BlockDialog, type Blocked } from '#web/components/closures/block-dialog.tsx'
import { useGoTo } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SearchInput } from '#web/ui/search-input/search-input.tsx'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import styles from './command-palette.module.css'
import { ResultList, toGroupName } from './record-results.tsx'
import { toScreenPath, useSettledText } from './use-record-search.tsx'

type Item = { key: string; group: string; title: string; detail: string; staysOpen?: true; run: () => void }

type CommandPaletteProps = {
  /** Screens that the person may open. */
  entries: readonly { path: string; name: string }[]
  onClose: () => void
}

/** Matches 'close aurora' and 'block pod aurora'; the group is what to search pods for. */
const CLOSE = /^(?:close|block)\s+(?:pod\s+)?(.+)$/i

/** Matches a pod to be closed that is not named yet. */
const UNNAMED = /^(?:close|block)(?:\s+pod)?$/i

/** The dialog of Ctrl-K: commands, screens to go to, and found records (rules §30.1). */
export function CommandPalette({ entries, onClose }: CommandPaletteProps) {
  const goTo = useGoTo()
  const listId = useId()
  const may = useMay()
  const pages = useSession()?.pages ?? []
  const [text, setText] = useState('')
  const [pointed, setPointed] = useState(0)
  const [blocked, setBlocked] = useState<Blocked>()
  const typed = text.trim()
  const mayClose = may.changeRecords('pod')
  const isUnnamed = mayClose && UNNAMED.test(typed)
  const toClose = mayClose && !isUnnamed ? CLOSE.exec(typed)?.[1] : undefined
  const wanted = toClose ?? typed
  // Enter searches at once, and chooses the first entry for exactly these words.
  const [entered, setEntered] = useState<string>()
  const settled = useSettledText(wanted)
  const q = entered ?? settled
  const search = useQuery({ ...apiQuery('search', 'find', { query: { q } }), enabled: q !== '' })
  const isFound = q !== '' && q === wanted
  const hits = isFound
    ? (search.data?.data.groups ?? []).flatMap(({ group, hits: ofGroup }) => ofGroup.map((hit) => ({ ...hit, group })))
    : []

  const toCommand = (title: string, path: string): Item => {
    return { key: title, group: 'Commands', title, detail: '', run: () => goTo(path) }
  }
  const commands = [
    ...(may.call('bookings.createFor') ? [toCommand('New booking', pathOf(PAGE.corporateBooking))] : []),
    ...entries.map(({ name, path }) => toCommand(`Go to ${name}`, path)),
  ].filter(({ title }) => typed.split(/\s+/).every((word) => title.toLowerCase().includes(word.toLowerCase())))
  const closings = hits
    .filter(({ group }) => toClose !== undefined && group === 'pods')
    .map(({ _id, title, detail }): Item => {
      return {
        key: `close-${_id}`,
        group: 'Commands',
        title: `Close pod ${title}`,
        detail,
        staysOpen: true,
        run: () => setBlocked({ entity: 'pod', id: _id, name: title, location: detail }),
      }
    })
  const records = hits.map((hit): Item => {
    const { group, _id, title, detail } = hit
    return {
      key: `${group}-${_id}`,
      group: toGroupName(group),
      title,
      detail,
      run: () => goTo(toScreenPath(hit, pages)),
    }
  })
  const items = [...commands, ...closings, ...records]
  // Fewer may be found again than an arrow key has passed.
  const active = Math.min(pointed, items.length - 1)
  const optionId = (index: number) => `${listId}-${index}`

  const isAnswered = entered !== undefined && !search.isPending
  useEffect(() => {
    if (isAnswered) choose(0)
  })

  function choose(index: number) {
    setEntered(undefined)
    const item = items[index]
    if (item === undefined) return
    if (!item.staysOpen) onClose()
    item.run()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') {
      event.preventDefault()
      if (items.length === 0 && wanted !== '') setEntered(wanted)
      else choose(active)
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || items.length === 0) return
    event.preventDefault()
    setPointed((active + step + items.length) % items.length)
  }

  if (blocked) return <BlockDialog of={blocked} onClose={onClose} />
  return (
    <Dialog title="Go to or do" width={500} onClose={onClose}>
      <div className={styles.field}>
        <SearchInput
          data-autofocus
          placeholder={mayClose ? 'Search, or type “close pod”' : 'Search, or type the name of a screen'}
          aria-label="Go to or do"
          autoComplete="off"
          value={text}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SearchInput draws an input
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={items.length > 0 ? listId : undefined}
          aria-activedescendant={items.length > 0 ? optionId(active) : undefined}
          aria-autocomplete="list"
          onChange={(event) => {
            setText(event.currentTarget.value)
            setEntered(undefined)
            setPointed(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {search.error && <ErrorState problem={toProblem(search.error)} onRetry={() => void search.refetch()} />}
      {items.length > 0 ? (
        <ResultList {...{ listId, optionId, items, active }} onPoint={setPointed} onChoose={choose} />
      ) : (
        !search.error && (
          <output className={styles.none}>
            {!isFound || search.isPending ? 'Searching' : isUnnamed ? 'Which pod? Type its name.' : 'Nothing found.'}
          </output>
        )
      )}
    </Dialog>
  )
}
