import type { CompiledQuery, ConnectionProvider, DatabaseConnection, QueryResult } from 'kysely'
import type { Db } from './client.ts'
import { findPipeline } from './database-scope.ts'
import type { NamedClient, NamedPool } from './named-statements.ts'

/** Statements that may be under way on one connection: those of some ten calls. */
const MOST_TOGETHER = 32
/** Without an answer for so long something holds the connection up, and who comes now must not wait behind it. */
const STALLED_MS = 10
/** For so long a connection is shared at most: others wait for one too, and the embedded engine has no second. */
const LONGEST_MS = 100

/** A lent connection with statements under way. */
type Lane = {
  client: Promise<NamedClient>
  isLent: boolean
  pending: number
  openedAt: number
  answeredAt: number
  isCorked: boolean
}

export type Pipeline = ConnectionProvider & {
  /** Statements that wait for a connection behind another, which the pool counts: its one stands for all of them. */
  countWaiting(): number
}

/**
 * Sends statements down one connection of the pool without waiting for the answers to those before, and those of one turn
 * of the event loop in one piece. Each is a transaction of its own, and succeeds or fails alone. For brief statements:
 * to wake a process of the database for each costs more than they do (docs/decisions/013).
 */
export function createPipeline(pool: NamedPool, onStatement: () => void): Pipeline {
  let lane: Lane | undefined
  let waiting = 0

  function findLane(): Lane {
    const now = performance.now()
    if (lane === undefined || !takesMore(lane, now)) {
      lane = { client: pool.connect(), isLent: false, pending: 0, openedAt: now, answeredAt: now, isCorked: false }
    }
    return lane
  }

  async function waitForClient(lane: Lane): Promise<NamedClient> {
    const isBehind = !lane.isLent && lane.pending > 1
    if (isBehind) waiting += 1
    try {
      const client = await lane.client
      lane.isLent = true
      return client
    } finally {
      if (isBehind) waiting -= 1
    }
  }

  function close(closed: Lane): void {
    if (lane === closed) lane = undefined
  }

  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      onStatement()
      const lane = findLane()
      lane.pending += 1
      try {
        const client = await waitForClient(lane)
        sendWithTurn(lane, client)
        return await client.query<Row>(sql, parameters)
      } catch (error) {
        // It may be the connection that failed.
        close(lane)
        throw error
      } finally {
        lane.answeredAt = performance.now()
        lane.pending -= 1
        if (lane.pending === 0) {
          close(lane)
          // Where none was lent there is none to give back, and whoever waited has heard of it.
          void lane.client.then(
            (client) => client.release(),
            () => undefined,
          )
        }
      }
    },
    streamQuery() {
      throw new Error('A stream is no brief statement')
    },
  }
  return { provideConnection: (work) => work(connection), countWaiting: () => waiting }
}

function takesMore({ pending, openedAt, answeredAt }: Lane, now: number): boolean {
  return pending < MOST_TOGETHER && now - answeredAt < STALLED_MS && now - openedAt < LONGEST_MS
}

/** Holds back what is written until the turn ends. */
function sendWithTurn(lane: Lane, client: NamedClient): void {
  if (lane.isCorked) return
  lane.isCorked = true
  const send = client.cork()
  setImmediate(() => {
    lane.isCorked = false
    send()
  })
}

/**
 * Runs a statement that only reads, and of which it is known that it is brief whatever its values: it shares a connection
 * with others and would hold them up. In a transaction it is one of its statements.
 */
export function runBrief<Row>(db: Db, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const pipeline = db.isTransaction ? undefined : findPipeline(db)
  return pipeline ? db.getExecutor().withConnectionProvider(pipeline).executeQuery(query) : db.executeQuery(query)
}
