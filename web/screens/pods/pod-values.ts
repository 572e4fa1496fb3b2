import { toRequiredMessage } from '#contract/errors.ts'
import { MAX_BUFFER_MINUTES, POD_DEFAULTS } from '#contract/pod-defaults.ts'
import type { Pod, PodBody, PodImage } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import { SLOT_MINUTES } from '#contract/slots.ts'

/** The values of the pod form, except the images, which are managed separately (image-list.ts). */
export type PodValues = {
  title: string
  description: string
  direction: string
  location: string | null
  features: string[]
  booking_requirements: string
  availability: string
  cancellation_policy: string
  safety_and_property: string
  UserId: string
  deviceId: string
  serial: string
  password: string
  email: string
  rate: number | string
  capacity: number | string
  bufferMinutes: string
  timeSlot: string
  tags: string
  productId: string
}

export type PodField = keyof PodValues | 'images'

/** Labels of the form, as the server also uses them in its messages (rules §5.2). */
export const podLabels = {
  title: 'Title',
  description: 'Description',
  direction: 'Maps link',
  location: 'Location',
  features: 'Features',
  images: 'Images',
  booking_requirements: 'Booking requirements',
  availability: 'Availability',
  cancellation_policy: 'Cancellation policy',
  safety_and_property: 'Safety and property',
  UserId: 'User id',
  deviceId: 'Device id',
  serial: 'Device serial',
  password: 'Device password',
  email: 'Host email',
  rate: 'Rate per minute',
  capacity: 'Seats',
  bufferMinutes: 'Cleaning time',
  timeSlot: 'Time slot',
  tags: 'Tags',
  productId: 'Product id',
} as const satisfies Record<PodField, string>

/** Choices for the cleaning time after each booking, in minutes. */
export const bufferOptions = Array.from({ length: MAX_BUFFER_MINUTES / SLOT_MINUTES + 1 }, (_, index) => ({
  value: String(index * SLOT_MINUTES),
  label: index === 0 ? 'None' : `${index * SLOT_MINUTES} minutes`,
}))

export const emptyPod: PodValues = {
  title: '',
  description: '',
  direction: '',
  location: null,
  features: [],
  booking_requirements: '',
  availability: '',
  cancellation_policy: '',
  safety_and_property: '',
  UserId: '',
  deviceId: '',
  serial: '',
  password: '',
  email: '',
  rate: '',
  capacity: '',
  bufferMinutes: '0',
  timeSlot: POD_DEFAULTS.timeSlot,
  tags: POD_DEFAULTS.tags,
  productId: POD_DEFAULTS.productId,
}

/** Converts a stored pod to the form's values. Its password is the mask, never the secret (rules §5.4). */
export function toPodValues(pod: Pod): PodValues {
  return {
    title: pod.title,
    description: pod.description,
    direction: pod.direction,
    location: pod.location._id,
    features: pod.features.map((feature) => feature._id),
    booking_requirements: pod.booking_requirements,
    availability: pod.availability,
    cancellation_policy: pod.cancellation_policy,
    safety_and_property: pod.safety_and_property,
    UserId: pod.UserId,
    deviceId: pod.deviceId,
    serial: pod.serial,
    password: pod.password,
    email: pod.email,
    rate: pod.rate,
    capacity: pod.capacity ?? '',
    bufferMinutes: String(pod.bufferMinutes),
    timeSlot: pod.timeSlot,
    tags: pod.tags,
    productId: pod.productId,
  }
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
