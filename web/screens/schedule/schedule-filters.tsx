import type { Schedule } from '#contract/schedule.ts'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { seatOptions } from '#web/components/seat-options.ts'
import type { SetUrl } from '#web/lib/url-state.ts'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { DAY_END, DAY_START, type RowFilter } from './rows.ts'
import { FREE_FOR_MINUTES } from './schedule-query.ts'
import { toTimeText } from './schedule-texts.ts'

type Values = RowFilter & { location: string }

type ScheduleFiltersProps = { values: Values; schedule: Schedule | undefined; setUrl: SetUrl<Values> }

/** The filters of the schedule's pods, all kept in the URL. */
export function ScheduleFilters({ values, schedule, setUrl }: ScheduleFiltersProps) {
  const { location, feature, seats, free } = values
  const used = new Set(schedule?.pods.flatMap((pod) => pod.features))
  // The one that is filtered by stays, even if no pod of another location has it.
  const features = schedule?.features.filter(({ _id }, place) => used.has(place) || _id === feature) ?? []
  // For example deleted. The pods are still filtered by it, so the field must not look empty.
  const isUnlisted = feature !== '' && !features.some(({ _id }) => _id === feature)
  const toNumber = (text: string) => (text === '' ? undefined : Number(text))
  return (
    <FilterBar
      setCount={[location, feature, seats, free !== undefined].filter(Boolean).length}
      onClear={() => setUrl({ location: '', feature: '', seats: undefined, free: undefined, for: undefined })}
    >
      <LocationFilter value={location} onChange={(id) => setUrl({ location: id })} />
      <NativeSelect
        label="Feature"
        hideLabel
        value={feature}
        onChange={(id) => setUrl({ feature: id })}
        options={[
          { value: '', label: 'All features' },
          ...features.map(({ _id, name }) => ({ value: _id, label: name })),
          ...(isUnlisted ? [{ value: feature, label: schedule ? 'Unknown feature' : 'Loading…' }] : []),
        ]}
      />
      <NativeSelect
        label="Seats"
        hideLabel
        value={String(seats ?? '')}
        onChange={(text) => setUrl({ seats: toNumber(text) })}
        options={seatOptions}
      />
      {/* Half of a phone's width would cut off AM or PM. */}
      <div data-wide>
        <NativeSelect
          label="Free at"
          hideLabel
          value={String(free ?? '')}
          onChange={(text) => setUrl({ free: toNumber(text), ...(text === '' && { for: undefined }) })}
          options={toFreeOptions(free)}
        />
      </div>
      {free !== undefined && (
        <NativeSelect
          label="Free for"
          hideLabel
          value={String(values.for ?? FREE_FOR_MINUTES)}
          onChange={(text) => setUrl({ for: Number(text) === FREE_FOR_MINUTES ? undefined : Number(text) })}
          options={lengthOptions}
        />
      )}
    </FilterBar>
  )
}

const freeMinutes = Array.from({ length: (DAY_END - DAY_START) / 30 }, (_, place) => DAY_START + place * 30)

/** Includes the time that is filtered by: a link can name any quarter of an hour. */
function toFreeOptions(free: number | undefined) {
  const minutes = free === undefined ? freeMinutes : [...new Set([...freeMinutes, free])].toSorted((a, b) => a - b)
  return [
    { value: '', label: 'Free or not' },
    ...minutes.map((minute) => ({ value: String(minute), label: `Free at ${toTimeText(minute)}` })),
  ]
}

const lengthOptions = [
  { value: '15', label: 'for 15 minutes' },
  { value: '30', label: 'for 30 minutes' },
  { value: '60', label: 'for 1 hour' },
  { value: '90', label: 'for 1½ hours' },
  { value: '120', label: 'for 2 hours' },
  { value: '180', label: 'for 3 hours' },
]
