import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { openDatabase } from '#server/db/client.ts'
import type { RecordedStatement } from './record-statements.ts'

/**
 * The limit that endpoints are compared with: plain node:http with only the driver, which runs the same statements as
 * the endpoint and sends the same body. No routing, session, access check, parsing or logging.
 */

export type BareResponse = { path: string; statements: RecordedStatement[]; body: unknown }

const recordings = JSON.parse(readFileSync(process.env.BARE_ANSWERS ?? '', 'utf8')) as BareResponse[] // written by main.ts
const byPath = new Map(recordings.map((recording) => [recording.path, recording]))
const database = await openDatabase({
  databaseUrl: process.env.DATABASE_URL || undefined,
  dataDir: process.env.BARE_DATA_DIR ?? tmpdir(),
})

const server = createServer((request, response) => {
  const recording = byPath.get(request.url ?? '')
  if (!recording) {
    response.end('ready')
    return
  }
  Promise.all(recording.statements.map((statement) => database.pool.query(statement))).then(
    () => {
      const body = JSON.stringify(recording.body)
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body)
    },
    (error: unknown) => {
      response.writeHead(500).end(String(error))
    },
  )
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void database.close().then(() => process.exit(0))
})
