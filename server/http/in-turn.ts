import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '#server/context.ts'
import type { Caller } from '#server/db/awaited.ts'
import { getScope } from '#server/db/database-scope.ts'
import type { Foreground } from './foreground.ts'

/** A total is counted then, however many call meanwhile. */
const LONGEST_MS = 1_000
const LOOK_EVERY_MS = 25

/**
 * The total of a search, where it is asked for apart from its rows, waits for its turn: it must hold up nobody's rows
 * (docs/decisions/014). What else is asked for goes on at once.
 */
export async function inTurn<T>(
  { db, foreground }: Pick<AppContext, 'db' | 'foreground'>,
  { count, search }: { count?: string | undefined; search?: string | undefined },
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  if (count !== 'only' || !search) return work()
  const { engine, totals } = getScope(db)
  const { signal } = caller
  return totals.run(signal, async () => {
    // It does one thing at a time, and cannot end it: rows would wait for all of a total.
    if (engine === 'embedded') await untilQuiet(foreground, signal)
    return work()
  })
}

async function untilQuiet(foreground: Foreground, signal: AbortSignal): Promise<void> {
  const longest = performance.now() + LONGEST_MS
  while (foreground.isBusy() && performance.now() < longest) await sleep(LOOK_EVERY_MS, undefined, { signal })
}
