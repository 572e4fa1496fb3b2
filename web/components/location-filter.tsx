import type { Location } from '#contract/locations.ts'
import { api } from '#web/api/client.ts'
import { toLocationOption } from './location-field.tsx'
import { RecordFilter, type RecordSource } from './record-filter.tsx'

const locationSource: RecordSource<Location> = {
  domain: 'locations',
  list: async (page, signal) => {
    const response = await api('locations', 'list', { query: { ...page, sort: 'name' }, signal })
    return { ...response, data: response.data.data }
  },
  get: (id, signal) => api('locations', 'get', { params: { id }, signal }),
  toOption: toLocationOption,
}

export function LocationFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  return <RecordFilter label="Location" source={locationSource} value={value} onChange={onChange} />
}
