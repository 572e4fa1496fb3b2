import { randomBytes } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import type { z } from 'zod'
import { MINUTE } from '#contract/durations.ts'
import type { Webhook, WebhookBody, WebhookEdit } from '#contract/webhooks.ts'
import type { Actor, AppContext } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { enqueueJob, hurryJob, retryJob } from '#server/jobs/queue.ts'
import { type JobKind, PermanentFailure } from '#server/jobs/worker.ts'
import { type ChangeDetails, recordChange, recordCreation } from '../audit/record-change.ts'
import { recordEvent } from '../audit/record-event.ts'
import { NoResponseError, PrivateAddressError, postJson } from './post-json.ts'
import * as repository from './webhooks.repository.ts'

/** Creates a secret in the format of Standard Webhooks. */
const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Returns the secret too, for the only response that shows it. */
export async function createWebhook(
  { db, secrets }: AppContext,
  actor: Actor,
  body: z.output<typeof WebhookBody>,
): Promise<Webhook & { secret: string }> {
  const secret = createSecret()
  const row = { id: createId(), ...body, secret: secrets.seal(secret), created_at: actor.now() }
  const webhook = await inTransaction(db, (tx) =>
    recordCreation(tx, actor, repository.webhookRecord, row.id, () => repository.insertWebhook(tx, row)),
  )
  return { ...webhook, secret }
}

/** Absent fields stay as they are. */
export async function updateWebhook(
  { db }: AppContext,
  actor: Actor,
  id: string,
  { isEnabled, ...others }: z.output<typeof WebhookEdit>,
): Promise<Webhook> {
  const changes = { ...others, ...(isEnabled !== undefined && { is_enabled: isEnabled }) }
  return change(db, actor, { id, action: 'edit' }, changes)
}

/** Deletes a webhook. Its deliveries are hidden with it. */
export async function deleteWebhook({ db }: AppContext, actor: Actor, id: string): Promise<void> {
  await change(db, actor, { id, action: 'delete' }, { deleted_at: actor.now() })
}

async function change(
  db: Db,
  actor: Actor,
  details: ChangeDetails,
  changes: Parameters<typeof repository.updateWebhook>[2],
): Promise<Webhook> {
  const webhook = await inTransaction(db, (tx) =>
    recordChange(tx, actor, repository.webhookRecord, details, () => repository.updateWebhook(tx, details.id, changes)),
  )
  if (!webhook) throw notFound('Webhook')
  return webhook
}

const toKey = (id: string) => `webhook ${id}`
const SWITCHED_OFF = 'The webhook is switched off'

/** Sends a delivery now, whether it was sent, has failed, or waits for its next try. */
export async function replayDelivery(context: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const delivery = await repository.findDelivery(tx, id)
    if (!delivery) throw notFound('Delivery')
    if (!delivery.is_enabled) throw new AppError('conflict', { message: `${SWITCHED_OFF}. Switch it on first.` })
    const runAt = context.clock.now()
    const isHurried = delivery.state === 'queued' && (await hurryJob(tx, toKey(id), runAt))
    if (delivery.state === 'queued' && !isHurried)
      throw new AppError('conflict', { message: 'This delivery is on its way.' })
    await repository.updateDelivery(tx, id, { state: 'queued' })
    await recordEvent(tx, actor, { action: 'retry', entity: 'webhook', id: delivery.webhook_id, label: delivery.event })
    if (isHurried || (await retryJob(tx, 'key', toKey(id), runAt))) return
    await enqueueJob(tx, { kind: WEBHOOK_JOB, key: toKey(id), payload: { deliveryId: id }, runAt })
  })
}

export const WEBHOOK_JOB = 'webhook'

/** How long a receiver that does not respond is left alone: each try would hold up the webhooks of others. */
const PAUSE_MS = MINUTE

/** Receivers recognise repetitions, including replays, by the delivery's id, as Standard Webhooks specifies. */
export const webhookJob: JobKind<AppContext> = {
  title: 'Calling a webhook',
  async run({ db, clock, config, secrets }, job) {
    const delivery = await repository.findDelivery(db, toDeliveryId(job))
    // Once the webhook is restored, the delivery can be replayed.
    if (!delivery) {
      const response = 'The webhook was deleted'
      return repository.updateDelivery(db, toDeliveryId(job), { state: 'failed', response })
    }
    if (delivery.state === 'sent') return
    const { id, body, url } = delivery
    if (!delivery.is_enabled) {
      await repository.updateDelivery(db, id, { response: SWITCHED_OFF })
      throw new PermanentFailure(SWITCHED_OFF)
    }
    const now = new Date() // receivers compare it with their own clock
    const tries = delivery.tries + 1
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Signer(secrets.open(delivery.secret)).sign(id, now, body),
    }
    const { status, text } = await postJson(url, {
      body,
      headers,
      allowPrivate: config.webhookPrivateAddresses,
    }).catch(async (error: unknown) => {
      const response = error instanceof Error ? error.message : String(error)
      await repository.updateDelivery(db, id, { tries, response })
      if (error instanceof NoResponseError)
        await repository.postponeDeliveries(db, delivery.webhook_id, new Date(clock.now().getTime() + PAUSE_MS))
      throw error instanceof PrivateAddressError ? new PermanentFailure(response) : error
    })
    const isTaken = status >= 200 && status <= 299
    const outcome = isTaken ? ({ state: 'sent', sent_at: clock.now() } as const) : {}
    await repository.storeResponse(db, delivery, { tries, response: { status, text }, ...outcome })
    // Without the receiver's words, which may repeat what it was told of a customer: errors are logged.
    if (!isTaken) throw new Error(`The receiver responded with ${status}`)
  },
  setFailed: (tx, job, failed) =>
    repository.updateDelivery(tx, toDeliveryId(job), { state: failed ? 'failed' : 'queued' }),
  afterRun: ({ live }) => live.publish([{ entity: 'webhook' }]),
}

const toDeliveryId = ({ payload }: { payload: Record<string, unknown> }) => String(payload.deliveryId)
