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
