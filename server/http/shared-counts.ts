import type pg from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'

type SharedCounts = Pick<RateLimiterPostgres, 'penalty' | 'reward' | 'delete'>

/**
 * Counts that all servers share, in the database; each begins again `seconds` after its first. The library checks no limit
 * here: `penalty` and `reward` only count.
 */
export function createSharedCounts(pool: pg.Pool, seconds: number): SharedCounts {
  const counts = new RateLimiterPostgres({
    // Drops the library's names for prepared statements: behind a pooler the next query may use another connection,
    // where they do not exist.
    storeClient: { query: (query: pg.QueryConfig) => pool.query({ ...query, name: undefined }) },
    storeType: 'client',
    tableName: 'login_attempts',
    tableCreated: true, // by migration 001
    keyPrefix: '',
    points: 0,
    duration: seconds,
  })
  return {
    async penalty(key, points) {
      const count = await counts.penalty(key, points)
      // One that a clock far ahead has begun would go on until then. Twice, as the clocks of servers differ a little.
      const isAhead = count.msBeforeNext > 2 * seconds * 1_000
      if (!isAhead) return count
      await counts.delete(key)
      return counts.penalty(key, points)
    },
    reward: (key) => counts.reward(key),
    delete: (key) => counts.delete(key),
  }
}
