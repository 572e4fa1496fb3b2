/** A job's log, a subset of pino's. */
export type JobLog = {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

export type Job = {
  name: string
  everyMs: number
  /** Delay before the first run; none by default. */
  firstAfterMs?: number
  /** Returns how many records it changed. */
  run: () => Promise<number>
  log: JobLog
}

/** Stops a job, and resolves when a run under way has finished. */
export type StopJob = () => Promise<void>

/**
 * Runs a job now, or after `firstAfterMs`, and then repeatedly, each time `everyMs` after the last run has ended. Its timer
 * does not keep the process alive. A run that fails is logged, and the next one tries again.
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
