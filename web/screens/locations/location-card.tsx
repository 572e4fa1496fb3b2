import type { LocationListItem } from '#contract/locations.ts'
import { PAGE } from '#contract/pages.ts'
import { useSession } from '#web/api/session.ts'
import { ClosedNote } from '#web/components/closures/closed-note.tsx'
import { RecordLink } from '#web/components/record-link.tsx'
import { toCountryText } from '#web/lib/country-name.ts'
import { toCounted } from '#web/lib/format.ts'
import { pathOf } from '#web/paths.ts'
import { IconAction } from '#web/ui/button/button.tsx'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { IconMapPin } from '#web/ui/icons/icons.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import styles from './location-card.module.css'

type LocationCardProps = {
  location: LocationListItem
  /** Whether someone else has just changed the location. */
  isMarked: boolean
  isDeleted: boolean
  /** Blocks or unblocks; undefined when the location is deleted, or the person may not. */
  onToggle: (() => void) | undefined
  actions: readonly RowAction[]
}

/** A location's name and address, with its switch and actions (rules §6.6). */
export function LocationCard({ location, isMarked, isDeleted, onToggle, actions }: LocationCardProps) {
  const { _id, name, Street, city, state, zip, country_code, podCount, isBlocked, closure } = location
  const country = toCountryText(country_code)
  const pods = toCounted(podCount, 'pod', 'pods')
  const mayOpenPods = useSession()?.pages.includes(PAGE.pods) ?? false
  return (
    <li className={styles.card} data-blocked={isBlocked || undefined} data-marked={isMarked || undefined}>
      <div className={styles.head}>
        <span className={styles.pin}>
          <IconMapPin size={20} />
        </span>
        <h2 className={styles.name} title={name}>
          {name}
        </h2>
        {isDeleted ? (
          <StatusChip tone="grey">Deleted</StatusChip>
        ) : (
          <StatusChip tone={isBlocked ? 'red' : 'green'}>{isBlocked ? 'Inactive' : 'Active'}</StatusChip>
        )}
      </div>
      <address className={styles.address}>
        <span title={Street}>{Street}</span>
        <span title={`${city}, ${state}`}>
          {city}, {state}
        </span>
        <span title={`${zip}, ${country}`}>
          {zip}, {country}
        </span>
      </address>
      <ClosedNote closure={closure} />
      <div className={styles.foot}>
        <span className={styles.pods}>
          {mayOpenPods && podCount > 0 ? (
            <RecordLink href={pathOf(PAGE.pods, { location: _id })} aria-label={`${pods} of ${name}`}>
              {pods}
            </RecordLink>
          ) : (
            pods
          )}
        </span>
        {onToggle && <SwitchField label={`${name} active`} hideLabel checked={!isBlocked} onChange={onToggle} />}
        {actions.map(
          ({ label, icon, danger = false, hidden = false, onSelect }) =>
            !hidden && (
              <IconAction
                key={label}
                label={`${label} ${name}`}
                data-tooltip={label}
                icon={icon}
                danger={danger}
                onClick={onSelect}
              />
            ),
        )}
      </div>
    </li>
  )
}

/** Placeholders for the cards while they load. */
export function LocationSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <li key={index} className={styles.card} aria-hidden>
      <div className={styles.head}>
        <Skeleton width={36} height={36} />
        <Skeleton width="60%" height={16} />
      </div>
      <div className={styles.address}>
        <Skeleton width="70%" height={14} />
        <Skeleton width="55%" height={14} />
        <Skeleton width="40%" height={14} />
      </div>
      <div className={styles.foot}>
        <Skeleton height={36} />
      </div>
    </li>
  ))
}
