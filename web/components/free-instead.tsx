import type { FreeInstead as Free } from '#contract/booking-actions.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Choices } from './choices.tsx'
import styles from './free-instead.module.css'
import { toFreePodText } from './free-pod-words.ts'

type FreeInsteadProps = {
  free: Free
  /** The date that was asked for: 'YYYY-MM-DD'. */
  date: string
  onTime: (time: Free['times'][number]) => void
  onPod: (pod: Free['pods'][number]) => void
}

/** Offers the nearest free times in a pod that is taken, and similar pods that are free then (rules §26.1). */
export function FreeInstead({ free, date, onTime, onPod }: FreeInsteadProps) {
  if (free.times.length === 0 && free.pods.length === 0) return null
  return (
    <section className={styles.free} aria-label="Free instead">
      {free.times.length > 0 && (
        <Choices title="Free in this pod">
          {free.times.map((time) => (
            <Button key={time.startTime} size="small" onClick={() => onTime(time)}>
              {time.startTime.startsWith(date) ? '' : `${time.startTime.slice(0, 10)}, `}
              {toWallTimeRange(time)}
            </Button>
          ))}
        </Choices>
      )}
      {free.pods.length > 0 && <FreePods pods={free.pods} onPod={onPod} />}
    </section>
  )
}

export function FreePods({ pods, onPod }: Pick<FreeInsteadProps, 'onPod'> & Pick<Free, 'pods'>) {
  return (
    <Choices title="Free at this time">
      {pods.map((pod) => (
        <Button key={pod.podId} size="small" onClick={() => onPod(pod)}>
          {toFreePodText(pod)}
        </Button>
      ))}
    </Choices>
  )
}
