import type { Pod } from '#contract/pods.ts'
import { apiQuery } from '#web/api/query.ts'
import { PodCover } from '#web/components/pod-cover.tsx'
import { useLookup } from '#web/components/use-lookup.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import styles from './corporate-booking.module.css'

/** Searches bookable pods by title. Pods of blocked locations are left out (rules §4.13). */
export function usePodLookup() {
  return useLookup({
    toQuery: (page) => apiQuery('pods', 'list', { query: { ...page, sort: 'title', status: 'active' } }),
    toOptions: toBookableOptions,
    nothingFound: 'No pod found that can be booked',
    loadsAtOnce: true,
  })
}

function toBookableOptions(pods: readonly Pod[]) {
  return pods.filter(({ location }) => !location.isBlocked).map((pod) => Object.assign(toPodOption(pod), { pod }))
}

export function toPodOption(pod: Pod): LookupOption {
  return {
    value: pod._id,
    label: pod.title,
    detail: toLocationText(pod),
    image: (
      <span className={styles.optionImage}>
        <PodCover pod={pod} />
      </span>
    ),
  }
}

export function toLocationText({ location }: Pick<Pod, 'location'>): string {
  return `${location.name}, ${location.city}, ${location.state}`
}
