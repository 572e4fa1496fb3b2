import { useConnection, useIsRetrying } from '#web/api/connection.ts'
import { IconAlertTriangle } from '#web/ui/icons/icons.tsx'
import styles from './connection-banner.module.css'

const texts = {
  connected: undefined,
  offline: 'You are offline. What you see may be out of date; what you type is kept.',
  unreachable: 'There is no connection to the server. Trying again…',
} as const

/** While a change that was made offline, or just before, waits to be sent. */
const UNSENT = 'You are offline. Your last change is not saved yet. Trying again…'

/** Of a single request, while the live stream goes on. Forms say so themselves too. */
const RETRYING = 'The connection was lost while saving. Trying again…'

/** A banner at the foot of the page while there is no connection. It disappears once the connection is back. */
export function ConnectionBanner() {
  const isRetrying = useIsRetrying()
  const connection = useConnection()
  const text =
    isRetrying && connection === 'offline' ? UNSENT : (texts[connection] ?? (isRetrying ? RETRYING : undefined))
  return (
    <output className={styles.banner} data-shown={text !== undefined || undefined}>
      {text !== undefined && <IconAlertTriangle size={16} />}
      {text}
    </output>
  )
}
