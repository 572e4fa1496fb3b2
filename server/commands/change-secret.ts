import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createSecretBox } from '../secrets.ts'
import { changeSecretKey } from '../start/secret-key.ts'
import { requireNoServer } from './require-no-server.ts'
import { runCommand } from './run-command.ts'

const USAGE = `Usage: SECRET_KEY=<old key> NEW_SECRET_KEY=<new key> npm run secret:change [-- --lost]
Without SECRET_KEY it goes from no key to a key. --lost empties the secrets that neither key opens.`

const NewKey = z.string().min(16)

/**
 * `npm run secret:change`: encrypts every device password, webhook secret and second factor's key with another key, all
 * of them or none.
 */
runCommand({
  usage: USAGE,
  parse(args) {
    const { lost } = parseArgs({ args, options: { lost: { type: 'boolean', default: false } } }).values
    const newKey = NewKey.safeParse(process.env.NEW_SECRET_KEY)
    if (!newKey.success) throw new Error('Set NEW_SECRET_KEY to the new key, which needs at least 16 characters.')
    return { lost, newKey: newKey.data }
  },
  work: async ({ config, database, say }, { lost, newKey }) => {
    await requireNoServer(database)
    const { sealed, emptied } = await changeSecretKey(database.db, {
      from: createSecretBox(config.secretKey),
      to: createSecretBox(newKey),
      keyIsLost: lost,
    })
    say(
      `Device passwords, secrets of webhooks and keys of second factors encrypted with the new key: ${sealed.toLocaleString('en')}`,
    )
    if (emptied.length > 0)
      say(
        `Emptied, to be entered again on the Pods screen, added again as webhooks, or set up again by their owners: ${emptied.join(', ')}`,
      )
    say('Now set SECRET_KEY to the new key, remove NEW_SECRET_KEY, and start the servers.')
  },
})
