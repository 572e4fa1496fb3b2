/** Where the time comes from: passed in, never read directly, so that tests can set it (decisions §1). */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
