import { sql } from 'kysely'
import { SECRET_MASK } from '#contract/secrets.ts'
import { systemClock } from '../clock.ts'
import type { Db, Tx } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordEvents, systemActor } from '../modules/audit/record-event.ts'
import type { SecretBox } from '../secrets.ts'

/** Stored encrypted in secret_key_check; the text does not matter, only whether the key decrypts it. */
const CHECK_TEXT = 'podkeeper'

const KEY_MISSING =
  'SECRET_KEY is missing: the secrets in this database are encrypted with one. Set the key that they were encrypted ' +
  'with (it should be kept apart from your backups).'
const KEY_WRONG =
  'SECRET_KEY is not the key that the secrets in this database are encrypted with. Set the previous key (it should be ' +
  'kept apart from your backups). To change it on purpose, keep the previous key in SECRET_KEY, put the new one into ' +
  'NEW_SECRET_KEY and run: npm run secret:change'
const KEY_LOST =
  'If the key is lost, put a new one into NEW_SECRET_KEY and run: npm run secret:change -- --lost (see ' +
  'docs/operations.md, The secret key)'

/**
 * Throws an error that says what to do, unless the key decrypts what the database holds. A database remembers the first
 * key that it is started with; secrets stored without a key are encrypted with it. Returns the number of these secrets.
 * From then on `secrets` seals as the database's were sealed, so that servers of an earlier release can read them.
 */
export async function requireSecretKey(db: Db, secrets: SecretBox): Promise<number> {
  if (await isKnownKey(db, secrets)) return 0
  return inTransaction(db, async (tx) => {
    await lock(tx)
    // Another server may have been first.
    if (await isKnownKey(tx, secrets)) return 0
    const { all, sealed, unopened } = await sealAll(tx, secrets, secrets)
    if (unopened.length > 0) {
      if (!secrets.hasKey) throw new Error(`${KEY_MISSING}\n${KEY_LOST}`)
      throw new Error(
        `${KEY_WRONG}\nIt does not open ${unopened.length} of ${all} secrets: ${toList(unopened)}.\n${KEY_LOST}`,
      )
    }
    if (secrets.hasKey) await keepCheck(tx, secrets)
    return sealed
  })
}

type KeyChange = {
  from: SecretBox
  to: SecretBox
  /** Empties secrets that neither key decrypts, instead of failing. */
  keyIsLost?: boolean
}

/**
 * Encrypts every secret with another key, all of them or none. Secrets that the new key has encrypted already stay, so
 * it can be repeated, and repairs a database in which some are encrypted with one key and some with the other. With the
 * same key, it encrypts what an earlier release encrypted with less protection of the key.
 */
export async function changeSecretKey(
  db: Db,
  { from, to, keyIsLost = false }: KeyChange,
): Promise<{ sealed: number; emptied: string[] }> {
  return inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await lock(tx)
    const check = await findCheck(tx)
    const isKnown = check === undefined || opens(from, check) || opens(to, check)
    if (!isKnown && !keyIsLost) throw new Error(`${from.hasKey ? KEY_WRONG : KEY_MISSING}\n${KEY_LOST}`)
    const { sealed, unopened } = await sealAll(tx, from, to)
    if (unopened.length > 0 && !keyIsLost) {
      throw new Error(`Nothing was changed: SECRET_KEY does not open the secrets of ${toList(unopened)}.\n${KEY_LOST}`)
    }
    await store(
      tx,
      unopened.map((secret) => ({ ...secret, sealed: to.seal('') })),
    )
    await keepCheck(tx, to)
    await recordKeyChange(tx, sealed, unopened)
    return { sealed, emptied: unopened.map(({ title }) => title) }
  })
}

const columns = { pods: 'device_password', webhooks: 'secret', second_factors: 'secret' } as const
const entities = { pods: 'pod', webhooks: 'webhook', second_factors: 'staff' } as const

/** Records each secret that was emptied with its record, and the change of the key where any secret was encrypted. */
async function recordKeyChange(tx: Tx, sealed: number, emptied: Sealed[]): Promise<void> {
  const actor = systemActor(() => systemClock.now())
  const ofRecords = emptied.map(({ table, owner, title, version }) => {
    const masked = table === 'second_factors' ? undefined : { [columns[table]]: SECRET_MASK }
    return {
      action: masked ? ('edit' as const) : ('second-factor-reset' as const),
      entity: entities[table],
      id: owner,
      label: title,
      reason: 'Emptied, as the secret key is lost',
      ...(masked && { before: masked, after: masked, version: version + 1 }),
    }
  })
  const reason = `Secrets encrypted with it: ${sealed}`
  const ofKey = { action: 'secret-key', entity: 'policy', label: 'Secret key', reason } as const
  await recordEvents(tx, actor, [...ofRecords, ...(sealed > 0 ? [ofKey] : [])])
}

/** Returns false while the database remembers no key; throws when it remembers another one. */
async function isKnownKey(db: Db | Tx, secrets: SecretBox): Promise<boolean> {
  const check = await findCheck(db)
  if (check === undefined) return false
  if (opens(secrets, check)) {
    secrets.sealAs(check)
    return true
  }
  throw new Error(`${secrets.hasKey ? KEY_WRONG : KEY_MISSING}\n${KEY_LOST}`)
}

async function findCheck(db: Db | Tx): Promise<string | undefined> {
  return (await db.selectFrom('secret_key_check').select('sealed').executeTakeFirst())?.sealed
}

async function keepCheck(tx: Tx, secrets: SecretBox): Promise<void> {
  const sealed = secrets.seal(CHECK_TEXT)
  await tx
    .insertInto('secret_key_check')
    .values({ sealed })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ sealed }))
    .execute()
}

/** Prevents other servers from starting meanwhile, and secrets from being added or changed. */
async function lock(tx: Tx): Promise<void> {
  await sql`lock table secret_key_check, pods, webhooks, second_factors in share row exclusive mode`.execute(tx)
}

/** A stored secret: a pod's device password, a webhook's secret, or a second factor's key. */
type Sealed = {
  table: keyof typeof columns
  id: string
  /** The record with whose history it is: a second factor's staff member. */
  owner: string
  title: string
  version: number
  sealed: string
}

/**
 * Encrypts with `to` what `from` decrypts. Secrets that `to` has encrypted already, or that have no key and get none, stay.
 */
async function sealAll(tx: Tx, from: SecretBox, to: SecretBox) {
  const { rows: all } = await sql<Sealed>`
    select 'pods' as table, id, id as owner, title, version, device_password as sealed from pods
    union all select 'webhooks', id, id, url, version, secret from webhooks
    union all select 'second_factors', factor.id, staff_id, 'second factor of ' || staff.email, 0, factor.secret
      from second_factors as factor join staff on staff.id = factor.staff_id`.execute(tx)
  const changed: Sealed[] = []
  const unopened: Sealed[] = []
  // Titles are printed: one with control characters could command the operator's terminal.
  for (const secret of all.map((one) => ({ ...one, title: one.title.replaceAll(/\p{Cc}/gu, '�') }))) {
    if (to.isCurrent(secret.sealed) && opens(to, secret.sealed)) continue
    if (opens(from, secret.sealed)) changed.push({ ...secret, sealed: to.seal(from.open(secret.sealed)) })
    else unopened.push(secret)
  }
  await store(tx, changed)
  return { all: all.length, sealed: changed.length, unopened }
}

async function store(tx: Tx, secrets: Sealed[]): Promise<void> {
  for (const [table, column] of Object.entries(columns)) {
    const those = secrets.filter((secret) => secret.table === table)
    const ids = those.map(({ id }) => id)
    const texts = those.map(({ sealed }) => sealed)
    await sql`
      update ${sql.table(table)} as record set ${sql.id(column)} = new.sealed
        from unnest(${ids}::uuid[], ${texts}::text[]) as new (id, sealed)
       where record.id = new.id`.execute(tx)
  }
}

function opens(secrets: SecretBox, sealed: string): boolean {
  try {
    secrets.open(sealed)
    return true
  } catch {
    return false
  }
}

const MOST_NAMED = 10

function toList(secrets: Sealed[]): string {
  const named = secrets.slice(0, MOST_NAMED).map(({ title }) => title)
  const more = secrets.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
