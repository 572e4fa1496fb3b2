import { useQuery } from '@tanstack/react-query'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { toCounted } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { MESSAGES_PATH } from '#web/paths.ts'
import { IconAlertTriangle } from '#web/ui/icons/icons.tsx'
import styles from './failed-work-notice.module.css'

/** Says that mails, webhooks or other work were given up, to staff who can try them again (rules §31.3). */
export function FailedWorkNotice() {
  const maySee = useMay().call('failedJobs.list')
  const { data } = useQuery({ ...apiQuery('dashboard', 'today'), enabled: maySee })
  const count = data?.data.failedJobs ?? 0
  if (!maySee || count === 0) return null
  return (
    <p className={styles.notice}>
      <IconAlertTriangle size={16} className={styles.icon} />
      <span>
        The server has given up on {toCounted(count, 'mail, webhook or other job', 'mails, webhooks or other jobs')}.{' '}
        <Link href={`${MESSAGES_PATH}?show=failed`}>See failed work</Link>
      </span>
    </p>
  )
}
