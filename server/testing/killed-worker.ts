import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '#server/clock.ts'
import { openDatabase } from '#server/db/client.ts'
import { enqueueJob } from '#server/jobs/queue.ts'
import { startWorker } from '#server/jobs/worker.ts'

/**
 * A worker process for tests to kill. It queues jobs for ever, prints the key of each once it is committed, and runs
 * the jobs: each prints that it has begun, and then appends a line to a file.
 */
const [, , dataDir = '', databaseUrl, effects = '', turn = ''] = process.argv

const print = (line: string) => process.stdout.write(`${line}\n`)
const log = { info: () => undefined, error: (details: object) => print(`error ${JSON.stringify(details)}`) }

const { db } = await openDatabase({ dataDir, databaseUrl: databaseUrl || undefined })
startWorker({
  context: { db, clock: systemClock },
  kinds: {
    effect: {
      title: 'Writing a line',
      run: async (_context, { id, key }) => {
        print(`begun ${key}`)
        await delay(5)
        appendFileSync(effects, `${id} ${key}\n`)
        await delay(5)
      },
    },
  },
  concurrency: 4,
  log,
  pollMs: 5,
  leaseMs: 100,
})
for (let n = 0; ; n++) {
  const key = `${turn}-${n}`
  await enqueueJob(db, { kind: 'effect', key, runAt: new Date() })
  print(`queued ${key}`)
  await delay(2)
}
