import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '#web/api/query.ts'
import { toCountText } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CheckboxGroup } from '#web/ui/checkbox-group/checkbox-group.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toProblem } from '#web/ui/problem.ts'
import styles from './locations-field.module.css'
import { useFindLocation } from './use-find-location.tsx'

export const locationsQuery = apiQuery('locations', 'list', { query: { sort: 'name' } })

type LocationsFieldProps = {
  value?: readonly string[] | null
  onChange: (value: string[] | null) => void
  error?: ReactNode
  hint: ReactNode
}

/** Field to choose all locations, including future ones, or some of them (rules §37.7). */
export function LocationsField({ value = null, onChange, error, hint }: LocationsFieldProps) {
  const locations = useQuery({ ...locationsQuery, enabled: value !== null })
  const options = (locations.data?.data.data ?? []).map(({ _id, name, city }) => ({
    value: _id,
    label: name,
    hint: city,
  }))
  const { field, search, found } = useFindLocation(options, ({ label, hint: city }) => `${label} ${city}`)
  const isFound = (id: string) => found.some((option) => option.value === id)
  const choose = (ids: readonly string[]) =>
    onChange(options.flatMap((option) => (ids.includes(option.value) ? option.value : [])))
  const elsewhere = (value ?? []).filter((id) => !isFound(id))
  const areChosen = found.every((option) => value?.includes(option.value))
  return (
    <>
      <NativeSelect
        label="Locations"
        options={[
          { value: 'all', label: 'All locations' },
          { value: 'some', label: 'Some locations' },
        ]}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
        hint={hint}
      />
      {value !== null && field && (
        <div className={styles.find}>
          {field}
          <output>
            {toCountText(value.length)} of {toCountText(options.length)} chosen
          </output>
          {found.length > 0 && (
            <Button
              size="small"
              onClick={() => choose(areChosen ? elsewhere : [...elsewhere, ...found.map((option) => option.value)])}
            >
              {areChosen ? 'Clear' : 'Choose'} {search === '' ? 'all' : `these ${toCountText(found.length)}`}
            </Button>
          )}
        </div>
      )}
      {value !== null && (
        <CheckboxGroup
          label="Which locations"
          options={found}
          value={value}
          onChange={(chosen) => choose([...elsewhere, ...chosen])}
          error={
            error ||
            (locations.error && (
              <>
                The locations could not be loaded. {toProblem(locations.error).message}{' '}
                <Button size="small" loading={locations.isFetching} onClick={() => void locations.refetch()}>
                  Retry
                </Button>
              </>
            ))
          }
          hint={
            locations.isPending ? 'Loading the locations…' : found.length === 0 && search !== '' && 'No location found'
          }
        />
      )}
    </>
  )
}
