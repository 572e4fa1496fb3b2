import { DEFAULT_LATITUDE, DEFAULT_LONGITUDE } from '#contract/location-defaults.ts'
import type { Location } from '#contract/locations.ts'
import { findCountryName } from '#web/lib/country-name.ts'

/** What the form holds; a number field is '' while it is empty. */
export type LocationValues = Pick<Location, 'name' | 'Street' | 'city' | 'state' | 'zip' | 'country_code'> & {
  latitude: number | string
  longitude: number | string
}

const requiredFields = ['name', 'Street', 'city', 'state', 'zip', 'country_code'] as const
type RequiredField = (typeof requiredFields)[number]

export const locationFields = [...requiredFields, 'latitude', 'longitude'] as const

/** The same field has two names (rules §6.2). */
export const addLabels: Record<RequiredField, string> = {
  name: 'Name',
  Street: 'Street',
  city: 'City',
  state: 'Province',
  zip: 'Zip',
  country_code: 'Country',
}
export const editLabels: Record<RequiredField, string> = { ...addLabels, state: 'State', country_code: 'Country Code' }

export function toLocationValues(location: Location | undefined): LocationValues {
  const { name = '', Street = '', city = '', state = '', zip = '', country_code = '' } = location ?? {}
  const { latitude = DEFAULT_LATITUDE, longitude = DEFAULT_LONGITUDE } = location ?? {}
  // What was typed before there was a list to choose from, and could not be understood, has to be chosen now.
  const country = findCountryName(country_code) === undefined ? '' : country_code
  return { name, Street, city, state, zip, country_code: country, latitude, longitude }
}

/** Every field is required (rules §6.1); coordinates may be left out and, when given, lie on the globe. */
export function findLocationProblems(values: LocationValues, labels: Record<RequiredField, string>) {
  const missing = requiredFields.filter((field) => values[field].trim() === '')
  return {
    ...Object.fromEntries(missing.map((field) => [field, `${labels[field]} is required`])),
    ...toCoordinateProblem('latitude', values.latitude, 90),
    ...toCoordinateProblem('longitude', values.longitude, 180),
  }
}

function toCoordinateProblem(field: 'latitude' | 'longitude', value: number | string, limit: number) {
  const fits = value === '' || Math.abs(Number(value)) <= limit
  return fits ? {} : { [field]: `${field} must lie between -${limit} and ${limit}` }
}

/** An empty coordinate is left out: the server has the default, and keeps what an edit does not name (rules §6.1). */
export function toLocationBody({ latitude, longitude, ...rest }: LocationValues) {
  return {
    ...rest,
    ...(latitude === '' ? {} : { latitude }),
    ...(longitude === '' ? {} : { longitude }),
  }
}
