import { toRequiredMessage } from '#contract/errors.ts'
import { podLabels } from '#contract/field-labels.ts'
import { MAX_BUFFER_MINUTES, POD_DEFAULTS } from '#contract/pod-defaults.ts'
import type { Pod, PodBody, PodImage } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import { SLOT_MINUTES } from '#contract/slots.ts'
import { keysOf, toTexts } from '#web/lib/fields.ts'

/** Choices for the cleaning time after each booking, in minutes. */
export const bufferOptions = Array.from({ length: MAX_BUFFER_MINUTES / SLOT_MINUTES + 1 }, (_, index) => ({
  value: String(index * SLOT_MINUTES),
  label: index === 0 ? 'None' : `${index * SLOT_MINUTES} minutes`,
}))

const { images: _, ...fieldLabels } = podLabels

/** The values of the form for a new pod: empty text, except for these. The images are apart (image-list.ts). */
export const emptyPod = {
  ...toTexts(fieldLabels),
  location: null as string | null,
  features: [] as string[],
  rate: '' as number | string,
  capacity: '' as number | string,
  bufferMinutes: '0',
  timeSlot: POD_DEFAULTS.timeSlot,
  tags: POD_DEFAULTS.tags,
  productId: POD_DEFAULTS.productId,
}

export type PodValues = typeof emptyPod
export type PodField = keyof PodValues | 'images'

/** Converts a stored pod to the form's values. Its password is the mask, never the secret (rules §5.4). */
export function toPodValues(pod: Pod): PodValues {
  const stored = Object.fromEntries(keysOf(emptyPod).map((name) => [name, pod[name]])) as Pick<Pod, keyof PodValues>
  return {
    ...stored,
    location: pod.location._id,
    features: pod.features.map((feature) => feature._id),
    capacity: pod.capacity ?? '',
    bufferMinutes: String(pod.bufferMinutes),
  }
}

/** The values for a new pod like `pod`: what is its own, its title and its device, stays to be filled in. */
export function toCopiedValues(pod: Pod): PodValues {
  return { ...toPodValues(pod), title: '', UserId: '', deviceId: '', serial: '', password: '' }
}

/** Returns errors for fields that the form requires, although the contract lets older clients leave them out. */
export function findRequiredErrors({ rate, password }: PodValues) {
  return {
    rate: String(rate).trim() === '' ? toRequiredMessage(podLabels.rate) : undefined,
    password: password.trim() === '' ? toRequiredMessage(podLabels.password) : undefined,
  }
}

/** Converts the form's values to a body. An unchanged mask leaves the stored password as it is. */
export function toPodBody(values: PodValues, images: readonly Pick<PodImage, 'public_id' | 'url'>[]): PodBodyInput {
  return {
    ...values,
    location: values.location ?? '',
    images: images.map(({ public_id, url }) => ({ public_id, url })),
  }
}

type PodBodyInput = Omit<PodValues, 'location'> &
  Pick<PodBody, 'location'> & { images: { public_id: string; url: string }[] }

/** Returns the password after typing. Typing into the mask starts a new one, without the mask (rules §5.4). */
export function toTypedPassword(before: string, typed: string): string {
  if (before !== SECRET_MASK || typed === SECRET_MASK) return typed
  if (typed.length < SECRET_MASK.length && SECRET_MASK.startsWith(typed)) return ''
  for (let start = SECRET_MASK.length; start >= 0; start -= 1) {
    const [head, tail] = [SECRET_MASK.slice(0, start), SECRET_MASK.slice(start)]
    const isInserted = typed.length > SECRET_MASK.length && typed.startsWith(head) && typed.endsWith(tail)
    if (isInserted) return typed.slice(head.length, typed.length - tail.length)
  }
  return typed
}
