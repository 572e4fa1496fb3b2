import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Pod } from '#contract/pods.ts'
import { apiQuery } from '#web/api/query.ts'
import { toMoreText } from '#web/components/more-text.ts'
import { PodCover } from '#web/components/pod-cover.tsx'
import { type Lookup, type LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { toProblem } from '#web/ui/problem.ts'
import styles from './corporate-booking.module.css'

const LISTED = 50

/** Searches bookable pods on the server, by title. Pods of blocked locations are left out (rules §4.2). */
export function usePodLookup(): { lookup: Lookup; pods: readonly Pod[] } {
  const [search, setSearch] = useState('')
  const list = useQuery({
    ...apiQuery('pods', 'list', { query: { page: 1, limit: LISTED, sort: 'title', status: 'active', search } }),
    placeholderData: keepPreviousData,
  })
  const found = list.data?.data
  const total = list.data?.total ?? 0
  const pods = useMemo(() => (found ?? []).filter((pod) => !pod.location.isBlocked), [found])
  const options = useMemo(() => pods.map(toPodOption), [pods])
  return {
    pods,
    lookup: {
      options,
      onSearch: setSearch,
      loading: list.isFetching,
      problem: list.error && toProblem(list.error),
      onRetry: () => void list.refetch(),
      nothingFound: 'No pod found that can be booked',
      more: toMoreText(total, LISTED),
    },
  }
}

export function toPodOption(pod: Pod): LookupOption {
  return {
    value: pod._id,
    label: pod.title,
    detail: toPlaceText(pod),
    image: (
      <span className={styles.optionImage}>
        <PodCover pod={pod} />
      </span>
    ),
  }
}

export function toPlaceText({ location }: Pick<Pod, 'location'>): string {
  return `${location.name}, ${location.city}, ${location.state}`
}
