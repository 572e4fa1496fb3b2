import { useMutation } from '@tanstack/react-query'
import type { Viewed } from '#contract/view-as.ts'
import { stopViewAs } from '#web/api/view-as.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconEye } from '#web/ui/icons/icons.tsx'
import styles from './view-as-bar.module.css'

/** The bar above every screen while viewing as a colleague (rules §34.10). `viewed` is undefined while it loads. */
export function ViewAsBar({ viewed }: { viewed: Viewed | undefined }) {
  const stop = useMutation({
    mutationFn: stopViewAs,
    onError: (error) => showFailedAction(error, () => stop.mutate()),
  })
  return (
    <section className={styles.bar} aria-label="View as a colleague">
      <IconEye size={16} />
      {/* An alert, as it comes with its words. */}
      <p className={styles.text} role="alert">
        You see what {viewed ? viewed.firstname || viewed.lastname : 'a colleague'} sees. Nothing can be changed.
        {viewed && <span className={styles.until}> It ends by itself at {toBusinessTime(viewed.until).time}.</span>}
      </p>
      <Button size="small" loading={stop.isPending} onClick={() => stop.mutate()}>
        Stop
      </Button>
    </section>
  )
}
