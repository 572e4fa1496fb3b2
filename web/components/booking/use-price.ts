import { useQuery, useQueryClient } from '@tanstack/react-query'
import { toPrice } from '#contract/money.ts'
import type { Pod } from '#contract/pods.ts'
import { apiQuery } from '#web/api/query.ts'

/** The rate is what is known of it until it has loaded. */
type PricedPod = Pick<Pod, '_id'> & Partial<Pick<Pod, 'rate'>>

/**
 * Returns what a booking costs at the pod's rate and the discount of now, which may have changed since the pod was
 * chosen, and the query without which it is unknown. Undefined while it is unknown, and for bookings that are not sold.
 */
export function usePrice(pod: PricedPod | undefined, minutes: number, isSold: boolean) {
  const wanted = { search: pod?._id ?? '', page: 1, limit: 1 } as const
  const found = useQuery({ ...apiQuery('pods', 'list', { query: wanted }), enabled: isSold && pod !== undefined })
  const priceQuery = useQuery({ ...apiQuery('pricing', 'getDiscount'), enabled: isSold })
  const discount = priceQuery.data?.data.discount
  const rate = found.data?.data[0]?.rate ?? pod?.rate
  const isKnown = isSold && minutes > 0 && rate !== undefined && discount !== undefined
  return {
    price: isKnown ? toPrice(minutes, rate, discount) : undefined,
    priceQuery: rate === undefined && found.error ? found : priceQuery,
    isLoading: found.isLoading || priceQuery.isLoading,
  }
}

/** Returns a function that loads anew what `usePrice` reads, after the server has refused a price. */
export function useReloadPrices(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey: [domain] }) => prices.has(domain) })
}

const prices = new Set<unknown>(['pods', 'pricing'])
