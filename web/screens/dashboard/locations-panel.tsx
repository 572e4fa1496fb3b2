import { Carousel, CarouselItem } from '#web/ui/carousel.tsx'
import { IconMapPin } from '#web/ui/icons.tsx'
import { SkeletonCards } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import styles from './dashboard.module.css'
import { Panel } from './panel.tsx'
import { usePanel } from './use-panel.ts'

export function LocationsPanel({ userId }: { userId: string }) {
  const { rows, ...state } = usePanel(userId, 'location')
  return (
    <Panel title="Locations" href="/location" state={state}>
      {rows === undefined && <SkeletonCards count={2} />}
      {rows?.length === 0 && <EmptyState>Locations appear here once the first one is added.</EmptyState>}
      {rows !== undefined && rows.length > 0 && (
        <Carousel label="Locations">
          {rows.map((location) => (
            <CarouselItem key={location._id}>
              <article className={styles.locationCard}>
                <IconMapPin size={20} className={styles.pin} />
                <h3 className={styles.locationName} title={location.name}>
                  {location.name}
                </h3>
                <p className={styles.podPlace}>{location.Street}</p>
                <p className={styles.podPlace}>
                  {location.city}, {location.state}, {location.zip}
                </p>
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
