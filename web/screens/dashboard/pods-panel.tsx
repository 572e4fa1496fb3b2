import type { DashboardPod } from '#contract/dashboard.ts'
import { PAGE } from '#contract/pages.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { Carousel, CarouselItem } from '#web/ui/carousel/carousel.tsx'
import { Image } from '#web/ui/image/image.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import styles from './dashboard.module.css'
import { Panel } from './panel.tsx'
import { skeletons } from './skeletons.ts'
import { usePanel } from './use-panel.ts'

const TITLE = 'Pods to Explore'
const IMAGE_HEIGHT = 180

export function PodsPanel({ userId }: { userId: string }) {
  const { rows, ...state } = usePanel(userId, 'pods')
  return (
    <Panel title={TITLE} href="/pods" state={state} wide>
      {rows?.length === 0 ? (
        <EmptyState framed>Pods appear here once the first one is created.</EmptyState>
      ) : (
        <Carousel label={TITLE} busy={rows === undefined}>
          {rows === undefined
            ? skeletons.map((key) => (
                <CarouselItem key={key}>
                  <PodSkeleton />
                </CarouselItem>
              ))
            : rows.map((pod) => (
                <CarouselItem key={pod._id}>
                  <PodCard pod={pod} />
                </CarouselItem>
              ))}
        </Carousel>
      )}
    </Panel>
  )
}

/**
 * A pod's first image, its title in capitals (in the text too, not only its style), and its location's name and city
 * (rules §11.2).
 */
function PodCard({ pod }: { pod: DashboardPod }) {
  const image = pod.images[0]
  const place = `${pod.location.name}, ${pod.location.city}`
  return (
    <article className={styles.podCard}>
      <Image src={image?.url} preview={image?.placeholder} alt={`Pod ${pod.title}`} height={IMAGE_HEIGHT} />
      <h3 className={styles.podTitle} title={pod.title}>
        <Link href={pathOf(PAGE.pods, { search: pod._id })} className={styles.cardLink}>
          {pod.title.toLocaleUpperCase('en-ZA')}
        </Link>
      </h3>
      <p className={styles.podLocation} title={place}>
        {place}
      </p>
    </article>
  )
}

function PodSkeleton() {
  return (
    <div className={styles.podCard} aria-hidden>
      <Skeleton height={IMAGE_HEIGHT} />
      <div className={styles.podTitle}>
        <Skeleton width="55%" />
      </div>
      <div className={styles.podLocation}>
        <Skeleton width="40%" />
      </div>
    </div>
  )
}
