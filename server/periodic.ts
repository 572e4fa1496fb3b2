/** What a job says of itself: pino's way of calling. */
export type JobLog = {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export type Job = {
  name: string
  everyMs: number
  /** Before the first run; none by default. */
  firstAfterMs?: number
  /** Answers with how many records it changed. */
  run: () => Promise<number>
  log: JobLog
}

/** Stops a job; a run that is under way is waited for. */
export type StopJob = () => Promise<void>

/**
 * Runs a job now, or after `firstAfterMs`, and then again and again, each time so long after the last run has ended. Its
 * timer keeps no process alive, and a run that fails is logged: the next one may succeed.
 */
export function startPeriodic({ name, everyMs, firstAfterMs, run, log }: Job): StopJob {
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function turn(): Promise<void> {
    try {
      const changed = await run()
      if (changed > 0) log.info({ job: name, changed }, 'job done')
    } catch (err) {
      log.error({ job: name, err }, 'job failed')
    }
    if (!stopped) schedule(everyMs)
  }

  function schedule(afterMs: number): void {
    timer = setTimeout(() => {
      underWay = turn()
    }, afterMs).unref()
  }

  let underWay: Promise<void> | undefined
  if (firstAfterMs === undefined) underWay = turn()
  else schedule(firstAfterMs)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await underWay
  }
}
