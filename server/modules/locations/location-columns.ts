import type { Transaction } from '#contract/transactions.ts'

/** The columns of a location that is joined to a booking or payment. */
export const locationColumns = [
  'locations.name',
  'locations.street',
  'locations.city',
  'locations.state',
  'locations.zip',
  'locations.country_code',
  'locations.latitude',
  'locations.longitude',
  'locations.is_blocked',
] as const

type LocationDetails = NonNullable<Transaction['locationDetails']>
type JoinedLocation = {
  [Field in Exclude<keyof LocationDetails, '_id' | 'Street' | 'isBlocked'>]: LocationDetails[Field] | null
} & {
  street: string | null
  is_blocked: boolean | null
}

/** Returns a joined location as it is on the wire. A left join makes its columns nullable, but all are there with an id. */
export function toLocationDetails(id: string, row: JoinedLocation): LocationDetails {
  return {
    _id: id,
    name: row.name ?? '',
    Street: row.street ?? '',
    city: row.city ?? '',
    state: row.state ?? '',
    zip: row.zip ?? '',
    country_code: row.country_code ?? '',
    latitude: row.latitude ?? 0,
    longitude: row.longitude ?? 0,
    isBlocked: row.is_blocked ?? false,
  }
}
