/** What spans name as their service and as the library that made them. */
export const TRACER = 'podkeeper'
