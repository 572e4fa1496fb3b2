import { DEFAULT_LATITUDE, DEFAULT_LONGITUDE } from '#contract/location-defaults.ts'
import type { Location } from '#contract/locations.ts'
import { findCountryName } from '#web/lib/country-name.ts'

/** The form's values. An empty number field is ''. */
type LocationValues = Pick<Location, 'name' | 'Street' | 'city' | 'state' | 'zip' | 'country_code'> & {
  latitude: number | string
  longitude: number | string
}

type LabelledField = keyof Omit<LocationValues, 'latitude' | 'longitude'>

/** Labels when adding a location; when editing, two fields have other labels (rules §6.2). */
export const addLabels: Record<LabelledField, string> = {
  name: 'Name',
  Street: 'Street',
  city: 'City',
  state: 'Province',
  zip: 'Zip',
  country_code: 'Country',
}
export const editLabels: Record<LabelledField, string> = { ...addLabels, state: 'State', country_code: 'Country Code' }

export function toLocationValues(location: Location | undefined): LocationValues {
  const { name = '', Street = '', city = '', state = '', zip = '', country_code = '' } = location ?? {}
  const { latitude = DEFAULT_LATITUDE, longitude = DEFAULT_LONGITUDE } = location ?? {}
  // Older records may have text that is no country code: the country must be chosen again.
  const country = findCountryName(country_code) === undefined ? '' : country_code
  return { name, Street, city, state, zip, country_code: country, latitude, longitude }
}

/** Returns the form's own messages for coordinates that are out of range. Both may be left empty. */
export function findCoordinateErrors({ latitude, longitude }: LocationValues) {
  return {
    latitude: isWithin(latitude, 90) ? undefined : 'latitude must be between -90 and 90',
    longitude: isWithin(longitude, 180) ? undefined : 'longitude must be between -180 and 180',
  }
}

function isWithin(value: number | string, limit: number): boolean {
  return value === '' || Math.abs(Number(value)) <= limit
}

/** Leaves out empty coordinates: the server uses its default, or keeps the stored value on an edit (rules §6.1). */
export function toLocationBody({ latitude, longitude, ...rest }: LocationValues) {
  return {
    ...rest,
    ...(latitude === '' ? {} : { latitude }),
    ...(longitude === '' ? {} : { longitude }),
  }
}
