import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '#web/api/query.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CheckboxGroup } from '#web/ui/checkbox-group/checkbox-group.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toProblem } from '#web/ui/problem.ts'

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
      {value !== null && (
        <CheckboxGroup
          label="Which locations"
          options={options}
          value={value}
          onChange={onChange}
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
          hint={locations.isPending ? 'Loading the locations…' : undefined}
        />
      )}
    </>
  )
}
