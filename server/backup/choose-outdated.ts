/** A daily backup, and when it was made on the business's wall clock. */
export type ScheduledBackup = { name: string; wallClock: Date; isChecked: boolean }

export type KeepRule = { days: number; months: number }

/**
 * Returns the names of the backups that are no longer kept (rules §39.4). Kept are the newest good backup of each of
 * the last `days` days and `months` months that have one, and always the last good backup. One that was never found
 * good is deleted once there is a newer good one.
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

/** Returns the newest backup of each period, which is the first `length` characters of an ISO date. */
function newestOfEach(sorted: readonly ScheduledBackup[], length: number): ScheduledBackup[] {
  const byPeriod = new Map<string, ScheduledBackup>()
  for (const backup of sorted) {
    const period = backup.wallClock.toISOString().slice(0, length)
    if (!byPeriod.has(period)) byPeriod.set(period, backup)
  }
  return [...byPeriod.values()]
}
