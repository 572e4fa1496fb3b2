import type { DashboardPod } from '#contract/dashboard.ts'
import { Carousel, CarouselItem } from '#web/ui/carousel.tsx'
import { Photo } from '#web/ui/photo.tsx'
import { SkeletonCards } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages.tsx'
import styles from './dashboard.module.css'
import { Panel } from './panel.tsx'
import { usePanel } from './use-panel.ts'

const TITLE = 'Pods to Explore'

export function PodsPanel({ userId }: { userId: string }) {
  const { rows, ...state } = usePanel(userId, 'pods')
  return (
    <Panel title={TITLE} href="/pods" state={state} wide>
      {rows === undefined && <SkeletonCards count={2} />}
      {rows?.length === 0 && <EmptyState>Pods appear here once the first one is created.</EmptyState>}
      {rows !== undefined && rows.length > 0 && (
        <Carousel label={TITLE}>
          {rows.map((pod) => (
            <CarouselItem key={pod._id}>
              <PodCard pod={pod} />
            </CarouselItem>
          ))}
        </Carousel>
      )}
    </Panel>
  )
}

/** The pod's first image, its title in capitals, and location name followed by city (spec §2). */
function PodCard({ pod }: { pod: DashboardPod }) {
  const image = pod.images[0]
  return (
    <article className={styles.podCard}>
      <Photo src={image?.url} preview={image?.placeholder} alt={`Pod ${pod.title}`} ratio="3 / 2" />
      <h3 className={styles.podTitle} title={pod.title}>
        {pod.title}
      </h3>
      <p className={styles.podPlace}>
        {pod.location.name}, {pod.location.city}
      </p>
    </article>
  )
}
