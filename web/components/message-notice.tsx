import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#web/api/query.ts'

/** Returns which of these changes of a booking its customer is mailed about. */
function useMailedChanges(): string[] {
  const { data } = useQuery(apiQuery('messages', 'kinds'))
  const { kinds = [], canSend = false } = data?.data ?? {}
  return canSend ? kinds.filter((kind) => kind === 'moved' || kind === 'cancelled') : []
}

/** Shown before bookings are moved or cancelled, if their customers will be mailed about it. */
export function MessageNotice({ className }: { className?: string | undefined }) {
  const mailed = useMailedChanges()
  if (mailed.length === 0) return null
  return (
    <p className={className}>Customers whose booking is {mailed.join(' or ')} are told by mail, half a minute later.</p>
  )
}

/** Shown when a pod is about to move to another location. */
export function MovedPodNotice() {
  const isMailed = useMailedChanges().includes('moved')
  return <>Its upcoming bookings move with it{isMailed && ', and their customers are told by mail'}.</>
}
