import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Db, SERVER_NAME } from '../db/client.ts'
import { createSecretBox } from '../secrets.ts'
import { changeSecretKey } from '../start/secret-key.ts'
import { runCommand } from './run-command.ts'

const USAGE = `Usage: SECRET_KEY=<old key> NEW_SECRET_KEY=<new key> npm run secret:change [-- --lost]
Without SECRET_KEY it goes from no key to a key. --lost empties the passwords that neither key opens.`

const NewKey = z.string().min(16)

/**
 * `npm run secret:change`: encrypts every device password, webhook secret and second factor's key with another key, all
 * of them or none.
 */
runCommand(async ({ config, database, say }) => {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { lost: { type: 'boolean', default: false } },
  })
  const newKey = NewKey.safeParse(process.env.NEW_SECRET_KEY)
  if (!newKey.success) throw new Error(`NEW_SECRET_KEY needs at least 16 characters.\n\n${USAGE}`)
  if (database.engine === 'postgres') await requireNoServer(database.db)
  const { sealed, emptied } = await changeSecretKey(database.db, {
    from: createSecretBox(config.secretKey),
    to: createSecretBox(newKey.data),
    keyIsLost: values.lost,
  })
  say(
    `Device passwords, secrets of webhooks and keys of second factors encrypted with the new key: ${sealed.toLocaleString('en')}`,
  )
  if (emptied.length > 0)
    say(
      `Emptied, to be entered again on the Pods screen, added again as webhooks, or set up again by their owners: ${emptied.join(', ')}`,
    )
  say('Now set SECRET_KEY to the new key, remove NEW_SECRET_KEY, and start the servers.')
})

/**
 * Throws while a server is connected, because it would keep encrypting with the old key. The embedded database admits
 * only one process anyway.
 */
async function requireNoServer(db: Db): Promise<void> {
  const { rows } = await sql<{ servers: number }>`
    select count(*)::int as servers from pg_stat_activity
     where datname = current_database() and application_name = ${SERVER_NAME}`.execute(db)
  if (rows[0]?.servers) {
    throw new Error(
      'A Podkeeper server is connected to this database. Stop every server first: they know the old key. If all are stopped, a pooler still holds a connection of theirs: restart it.',
    )
  }
}
