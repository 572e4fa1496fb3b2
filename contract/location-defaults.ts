/** Default coordinates of a location (rules §6.1). */
export const DEFAULT_LATITUDE = 15
export const DEFAULT_LONGITUDE = 16
