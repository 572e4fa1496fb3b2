import { classNames } from '../class-names.ts'
import { Menu } from '../menu/menu.tsx'
import { Skeleton } from '../skeleton/skeleton.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './data-table-cards.module.css'
import type { Column } from './data-table-columns.ts'
import { PlainRow, toCell } from './data-table-parts.tsx'
import type { DataTableProps } from './data-table.tsx'
import { openRows } from './open-rows.ts'

const MOST_FACTS = 3

/** Assigns columns to the parts of a card, at most three of them as facts. */
export function toCardParts<Row>(columns: readonly Column<Row>[]) {
  const visible = columns.filter((column) => !column.hideOnPhone)
  const media = visible.find((column) => column.phone === 'media')
  const aside = visible.find((column) => column.phone === 'aside')
  const title = visible.find((column) => column.phone === 'title') ?? visible.find((column) => !column.phone)
  const facts = visible.filter((column) => ![media, aside, title].includes(column)).slice(0, MOST_FACTS)
  return { media, aside, title, facts }
}

/** The table on a phone: each row is a card with a heading, facts and a menu. */
export function RowCards<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, rowName, rowActions, skeletonRows = 5, busy, marked } = props
  const { RowComponent = PlainRow } = props
  const { media, aside, title, facts } = toCardParts(columns)
  if (rows === undefined) {
    return (
      <ul className={styles.cards} aria-label={label} aria-busy>
        {Array.from({ length: skeletonRows }, (_, index) => (
          <li key={index} className={styles.card} aria-hidden>
            {media && <div className={styles.media}>{media.skeleton}</div>}
            <div className={styles.main}>
              <div className={styles.head}>
                <Skeleton width="60%" height={14} />
              </div>
              <div className={styles.facts}>
                {facts.map((fact) => (
                  <div key={fact.key} data-line>
                    <Skeleton width="70%" />
                  </div>
                ))}
              </div>
            </div>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ul className={styles.cards} aria-label={label} aria-busy={busy} ref={openRows}>
      {rows.map((row, index) => (
        <RowComponent
          key={rowKey(row)}
          rowKey={rowKey(row)}
          as="li"
          className={classNames(styles.card, marked?.has(rowKey(row)) && styles.marked)}
        >
          {media && <div className={styles.media}>{toCell(media, row).content}</div>}
          <div className={styles.main}>
            <div className={styles.head}>
              <div className={styles.title} data-heading title={title && toCell(title, row).title}>
                {title && toCell(title, row).content}
              </div>
              {aside && <div className={styles.aside}>{toCell(aside, row).content}</div>}
            </div>
            <dl className={styles.facts}>
              {facts.map((fact) => (
                <div key={fact.key} data-line={fact.phone === 'line' || undefined}>
                  <dt>{fact.phone === 'line' ? <VisuallyHidden>{fact.header}</VisuallyHidden> : fact.header}</dt>
                  <dd data-mono={fact.mono || undefined} data-whole={fact.wholeOnPhone || undefined}>
                    {toCell(fact, row).content}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
          {rowActions && rowActions(row, index).length > 0 && (
            <div className={styles.menu}>
              <Menu label={`Actions for ${rowName(row)}`} items={rowActions(row, index)} />
            </div>
          )}
        </RowComponent>
      ))}
    </ul>
  )
}
