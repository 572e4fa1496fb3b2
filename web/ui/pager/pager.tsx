import { toCountText } from '#web/lib/format.ts'
import { Button, IconAction } from '../button/button.tsx'
import { IconChevronLeft, IconChevronRight } from '../icons/icons.tsx'
import { NativeSelect } from '../native-select/native-select.tsx'
import styles from './pager.module.css'

type PagerProps = {
  /** What is listed, for screen readers: 'Bookings'. */
  label: string
  /** Counted from 1. */
  page: number
  pageSize: number
  /** Undefined until it is known. */
  total: number | undefined
  /** There are more rows than `total`: past the last known page, a full page is assumed to have a next one. */
  isAtLeast?: boolean
  /** There are more rows than `total`, on another screen. */
  isPart?: boolean
  /** Number of rows on this page. */
  shown?: number | undefined
  onPage: (page: number) => void
  pageSizes?: readonly number[]
  onPageSize?: (pageSize: number) => void
}

/** Returns the first and last page, the current one and its neighbours; undefined stands for a gap. */
export function toPageNumbers(page: number, pages: number): (number | undefined)[] {
  if (pages <= 7) return Array.from({ length: pages }, (_, index) => index + 1)
  const start = Math.max(2, Math.min(page - 1, pages - 4))
  const end = Math.min(pages - 1, Math.max(page + 1, 5))
  const middle = Array.from({ length: end - start + 1 }, (_, index) => start + index)
  return [1, ...(start > 2 ? [undefined] : []), ...middle, ...(end < pages - 1 ? [undefined] : []), pages]
}

export function Pager(props: PagerProps) {
  const {
    label,
    page,
    pageSize,
    total,
    isAtLeast = false,
    isPart = false,
    shown = 0,
    onPage,
    pageSizes,
    onPageSize,
  } = props
  // The rows are loading, could not be loaded, or there are none. The range has its place, so that it is announced later.
  if (total === undefined || total === 0) {
    return (
      <div className={styles.pager}>
        <output />
      </div>
    )
  }
  const first = (page - 1) * pageSize + 1
  const last = isAtLeast ? first - 1 + shown : Math.min(page * pageSize, total)
  const pages = Math.max(Math.ceil(total / pageSize), isAtLeast ? page : 1)
  const canGoOn = page < pages || (isAtLeast && shown === pageSize)
  return (
    <div className={styles.pager}>
      <output>
        {toCountText(first)}–{toCountText(last)} of {toCountText(total)}
        {(isAtLeast || isPart) && '+'}
      </output>
      <nav className={styles.nav} aria-label={`${label} pages`}>
        {pageSizes && onPageSize && (
          <div className={styles.size}>
            <NativeSelect
              label="Rows per page"
              hideLabel
              size="small"
              value={String(pageSize)}
              options={pageSizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
              onChange={(size) => onPageSize(Number(size))}
            />
          </div>
        )}
        <div className={styles.steps}>
          <ol className={styles.numbers}>
            {toPageNumbers(page, pages).map((number, index) =>
              number === undefined ? (
                // oxlint-disable-next-line react/no-array-index-key -- a gap is known by its place alone
                <li key={`gap-${index}`} className={styles.gap} aria-hidden>
                  …
                </li>
              ) : (
                <li key={number}>
                  <Button
                    size="small"
                    variant="subtle"
                    className={styles.number ?? ''}
                    aria-label={`Page ${toCountText(number)}`}
                    aria-current={number === page ? 'page' : undefined}
                    onClick={() => onPage(number)}
                  >
                    {toCountText(number)}
                  </Button>
                </li>
              ),
            )}
          </ol>
          <span className={styles.compact}>
            Page {toCountText(page)} of {toCountText(pages)}
            {isAtLeast && '+'}
          </span>
          {/* Side by side at the end, so that neither moves under the pointer when the numbers appear or change. */}
          <IconAction
            label={`Previous page of ${label}`}
            tooltip="Previous page"
            icon={<IconChevronLeft />}
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          />
          <IconAction
            label={`Next page of ${label}`}
            tooltip="Next page"
            icon={<IconChevronRight />}
            disabled={!canGoOn}
            onClick={() => onPage(page + 1)}
          />
        </div>
      </nav>
    </div>
  )
}
