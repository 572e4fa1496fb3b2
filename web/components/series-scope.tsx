import type { ScopeQuery } from '#contract/series.ts'
import { api } from '#web/api/client.ts'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'

export type Scope = ScopeQuery['scope']

const options: readonly { value: Scope; label: string }[] = [
  { value: 'this', label: 'Only this booking' },
  { value: 'following', label: 'This one and those after it' },
  { value: 'all', label: 'All of the series that are still to come' },
]

/** Asked wherever a booking of a series is changed or cancelled (rules §29.8). */
export function SeriesScope({ value, onChange }: { value: Scope; onChange: (scope: Scope) => void }) {
  return (
    <NativeSelect
      label="Which bookings"
      options={options}
      value={value}
      onChange={(chosen) => onChange(options.find((one) => one.value === chosen)?.value ?? 'this')}
    />
  )
}

/** From the series as it is at this moment: nothing of it was shown before that somebody could have changed since. */
export async function cancelSeries(seriesId: string, booking: string, scope: Scope) {
  const { data } = await api('series', 'get', { params: { id: seriesId } })
  return api('series', 'cancel', { params: { id: seriesId }, query: { scope, booking }, version: data.version })
}
