import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { findUndoEntity } from '#contract/audit-rules.ts'
import { DAY } from '#contract/durations.ts'
import type { Actor, AppContext, IdempotentRequest } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/http/app-error.ts'
import type { SecretBox } from '#server/secrets.ts'
import { isMadeTogether } from '../audit/audit.repository.ts'

/** How long a key replays the first response. */
const KEPT_MS = DAY

/**
 * Runs `create`, and only once per idempotency key if the request has one. The key, the changes and the response are
 * written in one transaction, which `create` gets in its context. A repeated request waits on the primary key until
 * that transaction ends, then gets the same response. A refused request stores nothing, so that it can be sent again
 * (docs/decisions/021).
 */
export async function createOnce<T>(
  context: AppContext,
  actor: Actor,
  create: (context: AppContext) => Promise<T>,
): Promise<T> {
  const { idempotency: request, id: actorId } = actor
  if (!request || actorId === null) return create(context)
  const stored = { staff_id: actorId, key_hash: createHash('sha256').update(request.key).digest() }
  return inTransaction(context.db, async (tx) => {
    // Forget the changes of a previous try of this transaction, which were rolled back.
    actor.changes.length = 0
    if (!(await claimKey(tx, stored, request, actor.now()))) return replay<T>(tx, stored, request, context.secrets)
    const result = await create({ ...context, db: tx, shortReads: tx })
    const text = request.serialise(result)
    const response = request.isSecret ? context.secrets.seal(text) : text
    const change_id = actor.changes.at(-1)?.auditId ?? null
    await ofKey(tx, stored).set({ response, change_id }).execute()
    return result
  })
}

/** Deletes expired keys and returns their number. */
export async function deleteExpiredKeys(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', toExpired(now))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

type StoredKey = { staff_id: string; key_hash: Buffer }

const toExpired = (now: Date) => new Date(now.getTime() - KEPT_MS)

const ofKey = (tx: Tx, { staff_id, key_hash }: StoredKey) =>
  tx.updateTable('idempotency_keys').where('staff_id', '=', staff_id).where('key_hash', '=', key_hash)

/** Returns true for the first request with a key, and for the first after it has expired. Locks the row in any case. */
async function claimKey(tx: Tx, key: StoredKey, { requestHash }: IdempotentRequest, now: Date): Promise<boolean> {
  const row = { request_hash: requestHash, response: null, change_id: null, created_at: now }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency_keys')
    .values({ ...key, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['staff_id', 'key_hash'])
        .doUpdateSet(row)
        .where('idempotency_keys.created_at', '<=', toExpired(now)),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Whether the request has changed other records in the same way, as with a series: only the first response knew it. */
const isOneOfSeveral = sql<boolean>`exists (
  select from audit as other where ${isMadeTogether} and other.id <> audit.id)`

async function replay<T>(
  tx: Tx,
  { staff_id, key_hash }: StoredKey,
  request: IdempotentRequest,
  secrets: SecretBox,
): Promise<T> {
  const first = await tx
    .selectFrom('idempotency_keys')
    .leftJoin('audit', 'audit.id', 'change_id')
    .select([
      'request_hash',
      'response',
      'change_id',
      'action',
      'entity',
      'before',
      isOneOfSeveral.as('is_one_of_several'),
    ])
    .where('idempotency_keys.staff_id', '=', staff_id)
    .where('key_hash', '=', key_hash)
    .executeTakeFirstOrThrow()
  if (!first.request_hash.equals(request.requestHash)) throw new AppError('idempotency_mismatch')
  if (first.response === null) throw new Error('A key was stored without its response')
  const { action, entity, before } = first
  const undoEntity = action === null || entity === null ? undefined : findUndoEntity({ action, entity, before })
  request.replayed = { changeId: first.change_id, undoEntity, isOneOfSeveral: first.is_one_of_several }
  const response = request.isSecret ? secrets.open(first.response) : first.response
  return JSON.parse(response) as T // the response of the same endpoint, which is JSON
}
