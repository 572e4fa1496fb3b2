/** A location beside the booking or payment that it is joined to. */
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
