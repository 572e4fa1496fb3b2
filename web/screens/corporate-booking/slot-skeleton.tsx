import { marks } from '#contract/slots.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './time-slots-dialog.module.css'

/** Placeholder in the shape of the grid, while it loads which marks are free. */
export function SlotSkeleton() {
  return (
    <>
      <output>
        <VisuallyHidden>Loading time slots</VisuallyHidden>
      </output>
      <div className={styles.skeleton} aria-hidden>
        {marks.map((mark) => (
          <Skeleton key={mark} height="2.25rem" />
        ))}
      </div>
    </>
  )
}
