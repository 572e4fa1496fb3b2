import type pg from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'

/**
 * Counts that all servers share, in the database; each begins again `seconds` after its first. The library checks no limit
 * here: `penalty` and `reward` only count.
 */
export function createSharedCounts(pool: pg.Pool, seconds: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
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
}
