/** The name of the service and of the instrumentation library in all spans. */
export const TRACER = 'podkeeper'
