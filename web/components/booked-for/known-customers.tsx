import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/users.ts'
import { apiQuery } from '#web/api/query.ts'
import { Choices } from '#web/components/choices.tsx'
import { useSettled } from '#web/lib/delayed.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { toCustomerOption } from './booked-for.ts'

const PAUSE_MS = 300
const FEWEST_DIGITS = 9
const MOST = 3
const TITLE = 'Customers with this number'

type KnownCustomersProps = { mobile: string; onChoose: (customer: User) => void }

/** Offers the customers who have the number that is typed for a new one, so that nobody is added twice (rules §29.5). */
export function KnownCustomers({ mobile, onChoose }: KnownCustomersProps) {
  const number = useSettled(mobile.trim(), PAUSE_MS)
  const isWhole = number.replaceAll(/\D/g, '').length >= FEWEST_DIGITS && number === mobile.trim()
  const { data } = useQuery({
    ...apiQuery('users', 'list', { query: { search: number, sort: 'name', limit: MOST } }),
    enabled: isWhole,
  })
  const known = (isWhole && data?.data) || []
  return (
    <>
      <Announcement>{known.length > 0 && TITLE}</Announcement>
      {known.length > 0 && (
        <Choices title={TITLE}>
          {known.map((customer) =>
            customer.isBlocked ? (
              <span key={customer._id}>{toCustomerOption(customer).label} is blocked</span>
            ) : (
              <Button key={customer._id} size="small" onClick={() => onChoose(customer)}>
                Book for {toCustomerOption(customer).label}
              </Button>
            ),
          )}
        </Choices>
      )}
    </>
  )
}
