import { toCounted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconArrowUp } from '#web/ui/icons/icons.tsx'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import type { ListDomain } from './define-list.ts'
import styles from './new-records.module.css'
import type { Marks } from './use-live-rows.ts'
import type { RecordList } from './use-record-list.ts'

const nouns: Readonly<Record<ListDomain, readonly [one: string, many: string]>> = {
  apiKeys: ['new API key', 'new API keys'],
  audit: ['new change', 'new changes'],
  bookings: ['new booking', 'new bookings'],
  closures: ['new closure', 'new closures'],
  companies: ['new company', 'new companies'],
  deliveries: ['new delivery', 'new deliveries'],
  failedJobs: ['new failure', 'new failures'],
  locations: ['new location', 'new locations'],
  mails: ['new mail', 'new mails'],
  pods: ['new pod', 'new pods'],
  rolePresets: ['new preset', 'new presets'],
  staff: ['new staff member', 'new staff members'],
  transactions: ['new transaction', 'new transactions'],
  users: ['new user', 'new users'],
}

/** Bar above the list for records that others have added since. It overlays the page, so that nothing moves. */
export function NewRecords({ domain, count, show }: RecordList<unknown>['newRecords']) {
  const text = toCounted(count, ...nouns[domain])
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
  return <Announcement>{marks.isSaid && names.length > 0 && `Changed: ${names.join(', ')}`}</Announcement>
}
