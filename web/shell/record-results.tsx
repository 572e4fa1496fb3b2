import type { UseQueryResult } from '@tanstack/react-query'
import { auditEntities } from '#contract/audit-entities.ts'
import { type SearchGroup, searchKinds } from '#contract/search-groups.ts'
import { useSession } from '#web/api/session.ts'
import { toProblem } from '#web/ui/problem.ts'
import { Spinner } from '#web/ui/spinner/spinner.tsx'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import styles from './record-results.module.css'
import type { Hit } from './use-record-search.tsx'

export const toGroupName = (group: SearchGroup) => auditEntities[searchKinds[group]].label

type RecordResultsProps = {
  listId: string
  optionId: (index: number) => string
  hits: readonly Hit[]
  active: number
  search: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>
  onPoint: (index: number) => void
  onChoose: (hit: Hit | undefined) => void
}

/** The results of the header's search, under its field. The focus stays in the field. */
export function RecordResults({ listId, optionId, hits, active, search, onPoint, onChoose }: RecordResultsProps) {
  const pages = useSession()?.pages ?? []
  if (search.error) return <ErrorState problem={toProblem(search.error)} onRetry={() => void search.refetch()} />
  if (search.isPending) {
    return (
      <output className={styles.line}>
        <Spinner /> Searching
      </output>
    )
  }
  if (hits.length === 0) {
    return (
      <output className={styles.line}>
        {Object.values(searchKinds).some((kind) => pages.includes(auditEntities[kind].page))
          ? 'Nothing found. Try fewer or other words.'
          : 'You do not have access to any records that this search finds.'}
      </output>
    )
  }
  const items = hits.map((hit) => ({ ...hit, key: `${hit.group}-${hit._id}`, group: toGroupName(hit.group) }))
  const choose = (index: number) => onChoose(hits[index])
  return <ResultList {...{ listId, optionId, items, active, onPoint }} onChoose={choose} />
}

type ResultListProps = Pick<RecordResultsProps, 'listId' | 'optionId' | 'active' | 'onPoint'> & {
  items: readonly { key: string; group: string; title: string; detail: string }[]
  onChoose: (index: number) => void
}

/** Search results in groups. The focus stays in the search field. */
export function ResultList({ listId, optionId, items, active, onPoint, onChoose }: ResultListProps) {
  return (
    // A list controlled by a separate field; a select has its own field.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div id={listId} role="listbox" aria-label="Found" tabIndex={-1} className={styles.list}>
      {[...new Set(items.map(({ group }) => group))].map((group) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset may not be in a listbox
        <div key={group} role="group" aria-label={group}>
          <div aria-hidden className={styles.group}>
            {group}
          </div>
          {items.map(
            (item, index) =>
              item.group === group && (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys and names the active option
                <div
                  key={item.key}
                  id={optionId(index)}
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === active}
                  className={styles.option}
                  ref={(node) => {
                    if (index === active) node?.scrollIntoView({ block: 'nearest' })
                  }}
                  onPointerMove={() => onPoint(index)}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => onChoose(index)}
                >
                  <span className={styles.title}>{item.title}</span>
                  <span className={styles.detail}>{item.detail}</span>
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  )
}
