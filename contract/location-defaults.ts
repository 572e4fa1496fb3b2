/** Coordinates of a location for which none are given (spec §3, §9). */
export const DEFAULT_LATITUDE = 15
export const DEFAULT_LONGITUDE = 16
