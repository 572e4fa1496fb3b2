import autocannon from 'autocannon'

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Returns the 95th percentile. */
export function p95(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN
}

/** Returns the milliseconds of each of `count` consecutive runs. */
export async function timeEach(count: number, run: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const started = performance.now()
    await run(index)
    times.push(performance.now() - started)
  }
  return times
}

/**
 * Returns the requests per second of 10 connections over three seconds. A single response other than 2xx fails the
 * benchmark.
 */
export async function measureThroughput(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 10, duration: 3 })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.average
}

/** Measures product and limit in turns, so that a slow moment of the machine affects both, and returns the medians. */
export async function alternate(rounds: number, product: () => Promise<number>, limit: () => Promise<number>) {
  const products: number[] = []
  const limits: number[] = []
  for (let round = 0; round < rounds; round++) {
    products.push(await product())
    limits.push(await limit())
  }
  return { product: median(products), limit: median(limits) }
}
