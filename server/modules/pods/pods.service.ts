import type { Pod, PodBody, PodEdit } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Actor, AppContext } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Fields } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import type { SecretBox } from '#server/secrets.ts'
import { type ChangeDetails, recordChange, recordCreation } from '../audit/record-change.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { followPod } from '../bookings/change-booking.ts'
import { closeOrOpen } from '../closures/blocking.ts'
import { getPricing } from '../pricing/pricing.repository.ts'
import { addFeatures, listFeatureIdsOfPod, removeFeatures } from './pod-choices.repository.ts'
import { requireFeatures, requireImages, requireNewLocation } from './pod-choices.ts'
import { addImages, listImageUrls, removeImages } from './pod-images.repository.ts'
import * as repository from './pods.repository.ts'
import { toSlug } from './slug.ts'

export async function getPod(db: Db | Tx, id: string): Promise<Pod> {
  const pod = await repository.findPod(db, id)
  if (!pod) throw notFound('Pod')
  return pod
}

export async function createPod({ db, secrets, clock }: AppContext, actor: Actor, body: PodBody): Promise<Pod> {
  const { location, features: chosen, images: uploaded, password, ...fields } = body
  const id = createId()
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await repository.lockSlugs(tx)
    const location_id = await requireNewLocation(tx, location)
    const features = await requireFeatures(tx, chosen)
    const images = await requireImages(tx, uploaded)
    const columns = {
      ...repository.toColumns(fields),
      rate: fields.rate ?? (await getPricing(tx)).rate,
      device_password: secrets.seal(password),
    }
    const slug = await chooseSlug(tx, fields.title)
    return recordCreation(tx, actor, repository.podRecord, id, async () => {
      await repository.createPod(tx, { id, slug, location_id, ...columns, created_at: now, updated_at: now })
      await addFeatures(tx, id, features)
      await addImages(tx, id, images)
      return getPod(tx, id)
    })
  })
}

/** Returns a free slug: 'boardroom', 'boardroom-2', 'boardroom-3'. The caller must hold `lockSlugs`. */
async function chooseSlug(tx: Tx, title: string): Promise<string> {
  const slug = toSlug(title)
  const last = await repository.getLastSlugNumber(tx, slug)
  return last === 0 ? slug : `${slug}-${last + 1}`
}

/**
 * Absent fields stay as they are (rules §16.5), and a pod may keep a location or features that were blocked since. The
 * slug never changes, so that addresses with it go on working.
 */
export async function updatePod(context: AppContext, actor: Actor, id: string, edit: PodEdit): Promise<Pod> {
  const { db, secrets, clock } = context
  const { location, features: chosen, images: uploaded, password, ...fields } = edit
  return changePod(db, actor, { id, action: 'edit' }, async (tx, before) => {
    const isMoved = location !== undefined && location !== before.location_id
    await repository.updatePod(tx, id, {
      ...repository.toColumns(fields),
      location_id: isMoved ? await requireNewLocation(tx, location) : undefined,
      device_password: toNewSecret(secrets, password),
      updated_at: clock.now(),
    })
    if (isMoved) await followPod(tx, actor, { podId: id, locationId: location, now: toBusinessNow(context) })
    if (chosen) {
      const kept = await listFeatureIdsOfPod(tx, id)
      const features = await requireFeatures(tx, chosen, kept)
      await removeFeatures(tx, id)
      await addFeatures(tx, id, features)
    }
    if (uploaded) {
      const kept = await listImageUrls(tx, id)
      const images = await requireImages(tx, uploaded, kept)
      await removeImages(tx, id)
      await addImages(tx, id, images)
    }
    return getPod(tx, id)
  })
}

/** Returns undefined, which keeps the stored password, for the mask of responses and an empty text (rules §5.4). */
function toNewSecret(secrets: SecretBox, password: string | undefined): string | undefined {
  return password === undefined || password === '' || password === SECRET_MASK ? undefined : secrets.seal(password)
}

/** Closes the pod until further notice, or reopens it. Affected bookings stay (rules §26.7). */
export async function setPodBlocked(context: AppContext, actor: Actor, id: string, isBlocked: boolean): Promise<void> {
  await changePod(context.db, actor, { id, action: isBlocked ? 'block' : 'unblock' }, async (tx) => {
    await closeOrOpen(tx, actor, { entity: 'pod', id }, isBlocked, toBusinessNow(context))
    return repository.updatePod(tx, id, { is_blocked: isBlocked, updated_at: actor.now() })
  })
}

/** Hides the pod everywhere except in the history. Its bookings stay, upcoming ones too (rules §5.7). */
export async function deletePod(db: Db, actor: Actor, id: string): Promise<void> {
  const now = actor.now()
  await changePod(db, actor, { id, action: 'delete' }, (tx) =>
    repository.updatePod(tx, id, { deleted_at: now, updated_at: now }),
  )
}

async function changePod<T>(
  db: Db,
  actor: Actor,
  change: ChangeDetails,
  write: (tx: Tx, before: Fields) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(db, (tx) =>
    recordChange(tx, actor, repository.podRecord, change, (before) => write(tx, before)),
  )
  if (result === undefined) throw notFound('Pod')
  return result
}
