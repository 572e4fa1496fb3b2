import type { FreeInstead as Free } from '#contract/errors.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import styles from './free-instead.module.css'

type FreeInsteadProps = {
  free: Free
  /** The one that was asked for. */
  date: string
  onTime: (time: Free['times'][number]) => void
  onPod: (podId: string) => void
}

/** After a refusal: the nearest free times in the pod, and pods like it that are free then (rules §26.1). */
export function FreeInstead({ free, date, onTime, onPod }: FreeInsteadProps) {
  if (free.times.length === 0 && free.pods.length === 0) return null
  return (
    <section className={styles.free} aria-label="Free instead">
      {free.times.length > 0 && (
        <>
          <p>Free in this pod:</p>
          <div className={styles.choices}>
            {free.times.map((time) => (
              <Button key={time.startTime} size="small" onClick={() => onTime(time)}>
                {time.startTime.startsWith(date) ? '' : `${time.startTime.slice(0, 10)}, `}
                {toWallTimeRange(time)}
              </Button>
            ))}
          </div>
        </>
      )}
      {free.pods.length > 0 && (
        <>
          <p>Free at this time:</p>
          <div className={styles.choices}>
            {free.pods.map((pod) => (
              <Button key={pod.podId} size="small" onClick={() => onPod(pod.podId)}>
                {pod.podTitle}, {pod.locationName}
              </Button>
            ))}
          </div>
        </>
      )}
    </section>
  )
}
