import { useQuery } from '@tanstack/react-query'
import type { ScopeQuery, Series } from '#contract/series.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'

export type Scope = ScopeQuery['scope']

const options: readonly { value: Scope; label: string }[] = [
  { value: 'this', label: 'Only this booking' },
  { value: 'following', label: 'This one and those after it' },
  { value: 'all', label: 'All of the series that are still to come' },
]

type SeriesScopeProps = { seriesId: string; value: Scope; onChange: (scope: Scope) => void }

/** Asks which bookings are meant, wherever one of a series is changed or cancelled (rules §29.8). */
export function SeriesScope({ seriesId, value, onChange }: SeriesScopeProps) {
  // Staff with all locations have all of its bookings.
  const enabled = Boolean(useSession()?.locations)
  const { data } = useQuery({ ...apiQuery('series', 'get', { params: { id: seriesId } }), enabled })
  const isPart = data?.data.hasOtherBookings === true
  return (
    <NativeSelect
      label="Which bookings"
      options={options.map((option) => ({ ...option, disabled: isPart && option.value !== 'this' }))}
      hint={isPart ? 'It has bookings at other locations too: ask a colleague who has all locations.' : undefined}
      value={value}
      onChange={(chosen) => onChange(options.find((one) => one.value === chosen)?.value ?? 'this')}
    />
  )
}

/** Returns the bookings that a change of this scope reaches. */
export function listScope({ bookings }: Series, bookingId: string, scope: Scope): Series['bookings'] {
  const from = bookings.findIndex(({ _id }) => _id === bookingId)
  return bookings.filter(
    ({ isUpcoming }, index) =>
      isUpcoming && (scope === 'all' || (scope === 'following' ? index >= from : index === from)),
  )
}
