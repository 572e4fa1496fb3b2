import { toCounted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconArrowUp } from '#web/ui/icons/icons.tsx'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './new-records.module.css'
import type { Marks } from './use-live-rows.ts'
import type { RecordList } from './use-record-list.ts'

/** Bar above the list for records that others have added since. It overlays the page, so that nothing moves. */
export function NewRecords({ nouns: [one, many], count, show }: RecordList<unknown>['newRecords']) {
  const text = toCounted(count, `new ${one}`, `new ${many}`)
  return (
    <div className={styles.place}>
      <Announcement>{count > 0 && text}</Announcement>
      {count > 0 && (
        <Button size="small" variant="primary" className={styles.bar} icon={<IconArrowUp size={14} />} onClick={show}>
          {text} — Show
        </Button>
      )}
    </div>
  )
}

/** Announces to screen readers, from time to time, which rows someone else has changed. */
export function ChangedRows({ marks, names }: { marks: Marks; names: readonly string[] }) {
  return <Announcement>{marks.isAnnounced && names.length > 0 && `Changed: ${names.join(', ')}`}</Announcement>
}
