/** One that was made on schedule, and when by the business's wall clock. */
export type ScheduledBackup = { name: string; wallClock: Date; isChecked: boolean }

export type KeepRule = { days: number; months: number }

/**
 * Which are kept no longer (rules §39.4). Kept is the newest of each of the last days, and of each of the last months, that have one;
 * only those count that were read back. So the last good one stays whatever the rule. What was never found good goes once a
 * newer one is.
 */
export function chooseOutdated(backups: readonly ScheduledBackup[], { days, months }: KeepRule): string[] {
  const good = backups.filter(({ isChecked }) => isChecked).toSorted(newestFirst)
  const kept = new Set([
    ...good.slice(0, 1),
    ...newestOfEach(good, 'yyyy-mm-dd'.length).slice(0, days),
    ...newestOfEach(good, 'yyyy-mm'.length).slice(0, months),
  ])
  const [newest] = good
  const isOutdated = (backup: ScheduledBackup) =>
    backup.isChecked ? !kept.has(backup) : newest !== undefined && backup.wallClock < newest.wallClock
  return backups.filter(isOutdated).map(({ name }) => name)
}

const newestFirst = (left: ScheduledBackup, right: ScheduledBackup) =>
  right.wallClock.getTime() - left.wallClock.getTime()

/** Of each period, which is so many characters of an ISO date. */
function newestOfEach(sorted: readonly ScheduledBackup[], length: number): ScheduledBackup[] {
  const byPeriod = new Map<string, ScheduledBackup>()
  for (const backup of sorted) {
    const period = backup.wallClock.toISOString().slice(0, length)
    if (!byPeriod.has(period)) byPeriod.set(period, backup)
  }
  return [...byPeriod.values()]
}
