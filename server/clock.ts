/** The source of the current time: passed in and never read directly, so that tests can set it (rules §1.2). */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
