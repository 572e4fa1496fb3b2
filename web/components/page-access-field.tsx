import { type ReactNode, useId } from 'react'
import {
  levelOf,
  type Page,
  type PageAccess,
  type PageCode,
  type PageLevel,
  type PageLevels,
  pages,
} from '#contract/pages.ts'
import { FieldGroup } from '#web/ui/field/field-group.tsx'
import styles from './page-access-field.module.css'
import { toIncludedScreens } from './page-access-words.ts'

type PageAccessFieldProps = {
  label: string
  value?: PageLevels
  onChange: (value: PageLevels) => void
  /** Access of the person who grants it: nobody can grant more than they hold (rules §34.4). */
  held: PageAccess
  /** A page that can be granted for viewing at most, and why. */
  viewAtMost?: { page: PageCode; reason: string }
  error?: ReactNode
  hint?: ReactNode
}

const none: PageLevels = {}

/** Field to choose no access, view or edit for each page (rules §34.5). */
export function PageAccessField({
  label,
  value = none,
  onChange,
  held,
  viewAtMost,
  error,
  hint,
}: PageAccessFieldProps) {
  return (
    <FieldGroup label={label} hint={hint} error={error}>
      <div className={styles.pages}>
        {pages.map((page) => (
          <PageRow
            key={page.id}
            page={page}
            level={value[page.id]}
            {...findMost(page.id, held, viewAtMost)}
            onChange={(level) => onChange(setLevel(value, page.id, level))}
          />
        ))}
      </div>
    </FieldGroup>
  )
}

const reasons = { none: 'You do not hold it', view: 'You only view it', edit: undefined }

function findMost(page: PageCode, held: PageAccess, viewAtMost: PageAccessFieldProps['viewAtMost']) {
  const most = levelOf(page, held)
  if (viewAtMost?.page === page && most === 'edit') return { most: 'view', reason: viewAtMost.reason } as const
  return { most, reason: reasons[most] }
}

function setLevel(value: PageLevels, page: PageCode, level: Level): PageLevels {
  const { [page]: _, ...others } = value
  return level === undefined ? others : { ...others, [page]: level }
}

type Level = PageLevels[keyof PageLevels]
type PageRowProps = {
  page: Page
  level: Level
  /** The highest level that can be granted. */
  most: PageLevel
  /** Why a higher level cannot be granted. */
  reason: string | undefined
  onChange: (level: Level) => void
}

const levels = [
  { level: 'view', label: 'View' },
  { level: 'edit', label: 'Edit' },
] as const

function PageRow({ page: { id: page, name, codeName }, level, most, reason, onChange }: PageRowProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <div className={styles.name}>
        <label className={styles.page} data-disabled={most === 'none' || undefined}>
          <input
            type="checkbox"
            checked={level !== undefined}
            disabled={most === 'none'}
            aria-describedby={`${id}-included${most === 'none' ? ` ${id}-reason` : ''}`}
            onChange={(event) => onChange(event.currentTarget.checked && most !== 'none' ? most : undefined)}
          />
          <span id={`${id}-page`}>
            {name}
            {codeName !== name && <span className={styles.hint}> {codeName}</span>}
          </span>
        </label>
        <span id={`${id}-included`} className={styles.included}>
          {toIncludedScreens(page)}
        </span>
      </div>
      {reason !== undefined && (
        <span id={`${id}-reason`} className={styles.reason}>
          {reason}
        </span>
      )}
      {level !== undefined && (
        <span className={styles.levels} role="radiogroup" aria-label="View or edit" aria-describedby={`${id}-page`}>
          {levels.map((choice) => {
            const isMore = most === 'none' || (most === 'view' && choice.level === 'edit')
            return (
              <label key={choice.level} className={styles.level} data-disabled={isMore || undefined}>
                <input
                  type="radio"
                  name={`${id}-level`}
                  checked={level === choice.level}
                  disabled={isMore}
                  // Described rather than named by the page, as the page's checkbox already has that name.
                  aria-describedby={isMore ? `${id}-page ${id}-reason` : `${id}-page`}
                  onChange={() => onChange(choice.level)}
                />
                {choice.label}
              </label>
            )
          })}
        </span>
      )}
    </div>
  )
}
