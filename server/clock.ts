/** Where the time comes from: passed in, never read directly, so that tests can set it (rules §1.2). */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
