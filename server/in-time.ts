/** Rejects when the work takes longer than `ms`. The work itself goes on. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), ms).unref()
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
