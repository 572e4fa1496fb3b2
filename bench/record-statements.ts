import { createHash } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import type { Db } from '#server/db/client.ts'

/** As `pg` takes it; named, as the product's own statements are. */
export type RecordedStatement = { name: string; text: string; values: unknown[] }

/** Runs `work` with a handle that notes every statement, so that a limit is measured with exactly what the product runs. */
export async function recordStatements(db: Db, work: (db: Db) => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = []
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const { sql, parameters } = db.getExecutor().compileQuery(node, queryId)
      const name = createHash('sha1').update(sql).digest('hex')
      statements.push({ name, text: sql, values: [...parameters] })
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.withPlugin(recorder))
  return statements
}
