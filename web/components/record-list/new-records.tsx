import type { LiveEntity } from '#contract/live-entities.ts'
import { toCounted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconArrowUp } from '#web/ui/icons/icons.tsx'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './new-records.module.css'
import type { Marks } from './use-live-rows.ts'
import type { RecordList } from './use-record-list.ts'

const nouns: Readonly<Record<LiveEntity, readonly [one: string, many: string]>> = {
  booking: ['new booking', 'new bookings'],
  closure: ['new closure', 'new closures'],
  company: ['new company', 'new companies'],
  customer: ['new user', 'new users'],
  feature: ['new feature', 'new features'],
  location: ['new location', 'new locations'],
  mail: ['new mail', 'new mails'],
  pod: ['new pod', 'new pods'],
  policy: ['new policy', 'new policies'],
  'role-preset': ['new preset', 'new presets'],
  settings: ['new setting', 'new settings'],
  staff: ['new staff member', 'new staff members'],
  transaction: ['new transaction', 'new transactions'],
  template: ['new message text', 'new message texts'],
  webhook: ['new webhook', 'new webhooks'],
  'api-key': ['new API key', 'new API keys'],
}

/** Bar above the list for records that others have added since. It overlays the page, so that nothing moves. */
export function NewRecords({ entity, count, show }: RecordList<unknown>['newRecords']) {
  const text = entity && toCounted(count, ...nouns[entity])
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
