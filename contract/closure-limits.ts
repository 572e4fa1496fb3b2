/** Kept apart from the schemas because the closure form checks the number of pods before it sends. */
export const MAX_CLOSED_PODS = 1000

/** The most bookings that one closure may affect. */
export const MAX_AFFECTED = 5000
