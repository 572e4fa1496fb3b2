import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#web/api/query.ts'

const words = { moved: 'moved', cancelled: 'cancelled' } as const

/** Shown before bookings are moved or cancelled, if their customers will be mailed about it. */
export function MessageNotice({ className }: { className?: string | undefined }) {
  const { data } = useQuery(apiQuery('messages', 'kinds'))
  const { kinds = [], canSend = false } = data?.data ?? {}
  const told = Object.entries(words).flatMap(([kind, word]) => (kinds.some((one) => one === kind) ? [word] : []))
  if (!canSend || told.length === 0) return null
  return (
    <p className={className}>Customers whose booking is {told.join(' or ')} are told by mail, half a minute later.</p>
  )
}
