import { PAGE } from '#contract/pages.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { Carousel, CarouselItem } from '#web/ui/carousel/carousel.tsx'
import { IconMapPin } from '#web/ui/icons/icons.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './dashboard.module.css'
import { Panel } from './panel.tsx'
import { skeletons } from './skeletons.ts'
import { usePanel } from './use-panel.ts'

export function LocationsPanel({ userId }: { userId: string }) {
  const { rows, ...state } = usePanel(userId, 'location')
  return (
    <Panel title="Locations" href="/location" state={state} wide>
      {rows?.length === 0 ? (
        <EmptyState framed>Locations appear here once the first one is added.</EmptyState>
      ) : (
        <Carousel label="Locations" busy={rows === undefined}>
          {rows === undefined &&
            skeletons.map((key) => (
              <CarouselItem key={key}>
                <LocationSkeleton />
              </CarouselItem>
            ))}
          {rows?.map((location) => (
            <CarouselItem key={location._id}>
              <article className={styles.locationCard}>
                <IconMapPin size={20} className={styles.pin} />
                <h3 className={styles.locationName} title={location.name}>
                  <Link href={pathOf(PAGE.locations, { search: location.name })} className={styles.cardLink}>
                    {location.name}
                  </Link>
                </h3>
                <Place>{location.Street}</Place>
                <Place>{[location.city, location.state, location.zip].join(', ')}</Place>
                <StatusChip tone={location.isBlocked ? 'red' : 'green'}>
                  {location.isBlocked ? 'Inactive' : 'Active'}
                </StatusChip>
              </article>
            </CarouselItem>
          ))}
        </Carousel>
      )}
    </Panel>
  )
}

function Place({ children }: { children: string }) {
  return (
    <p className={styles.podLocation} title={children}>
      {children}
    </p>
  )
}

function LocationSkeleton() {
  return (
    <div className={styles.locationCard} aria-hidden>
      <IconMapPin size={20} className={styles.pin} />
      <div className={styles.locationName}>
        <Skeleton width="9rem" />
      </div>
      <div className={styles.podLocation}>
        <Skeleton width="12rem" />
      </div>
      <div className={styles.podLocation}>
        <Skeleton width="10rem" />
      </div>
      <Skeleton width="4.5rem" height="1.375rem" />
    </div>
  )
}
