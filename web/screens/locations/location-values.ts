import { DEFAULT_LATITUDE, DEFAULT_LONGITUDE } from '#contract/location-defaults.ts'
import type { Location } from '#contract/locations.ts'
import { findCountryName } from '#web/lib/country-name.ts'

/** What the form holds; a number field is '' while it is empty. */
type LocationValues = Pick<Location, 'name' | 'Street' | 'city' | 'state' | 'zip' | 'country_code'> & {
  latitude: number | string
  longitude: number | string
}

type LabelledField = keyof Omit<LocationValues, 'latitude' | 'longitude'>

/** The same field has two names (rules §6.2). */
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
  // What was typed before there was a list to choose from, and could not be understood, has to be chosen now.
  const country = findCountryName(country_code) === undefined ? '' : country_code
  return { name, Street, city, state, zip, country_code: country, latitude, longitude }
}

/** In the form's own words: both may be left out and, when given, lie on the globe. */
export function findCoordinateErrors({ latitude, longitude }: LocationValues) {
  return {
    latitude: isWithin(latitude, 90) ? undefined : 'latitude must lie between -90 and 90',
    longitude: isWithin(longitude, 180) ? undefined : 'longitude must lie between -180 and 180',
  }
}

function isWithin(value: number | string, limit: number): boolean {
  return value === '' || Math.abs(Number(value)) <= limit
}

/** An empty coordinate is left out: the server has the default, and keeps what an edit does not name (rules §6.1). */
export function toLocationBody({ latitude, longitude, ...rest }: LocationValues) {
  return {
    ...rest,
    ...(latitude === '' ? {} : { latitude }),
    ...(longitude === '' ? {} : { longitude }),
  }
}
