/** Coordinates of a location for which none are given (rules §6.1). */
export const DEFAULT_LATITUDE = 15
export const DEFAULT_LONGITUDE = 16
