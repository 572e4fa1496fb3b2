import { describe, expect, it } from 'vitest'
import { podLabels } from '#contract/field-labels.ts'
import type { Pod } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import { checkBody, loadSchemas } from '#web/api/check-body.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { emptyPod, findRequiredErrors, toPodBody, toPodValues, toTypedPassword } from './pod-values.ts'

// Loaded before the tests, because on a busy machine it takes seconds.
await loadSchemas()

const pod: Pod = {
  _id: 'pod-1',
  title: 'Aurora',
  slug: 'aurora',
  description: 'A quiet room',
  direction: 'https://maps.example.com/?q=1',
  location: {
    _id: 'location-1',
    name: 'Waterfront',
    Street: '19 Dock Road',
    city: 'Cape Town',
    state: 'Western Cape',
    zip: '8001',
    country_code: 'ZA',
    isBlocked: true,
  },
  features: [
    { _id: 'feature-2', name: 'Screen', icon: 'tv', isBlocked: true },
    { _id: 'feature-1', name: 'Wi-Fi', icon: 'wifi', isBlocked: false },
  ],
  category: 'category-1',
  images: [{ public_id: 'image-1', url: '/uploads/image-1.webp', thumbnail: '/uploads/t.webp', width: 10, height: 8 }],
  timeSlot: '8am-6pm',
  isAvailable: false,
  isBlocked: false,
  closure: null,
  tags: 'Quiet',
  ratings: [],
  ratingCount: 0,
  totalRating: '0',
  version: 1,
  booking_requirements: 'Identity document',
  availability: 'Every day',
  cancellation_policy: 'Free',
  safety_and_property: 'Cameras',
  UserId: 'door-user',
  deviceId: 'device-1',
  serial: 'serial-1',
  password: SECRET_MASK,
  email: 'host@example.com',
  rate: 2.5,
  capacity: 4,
  bufferMinutes: 15,
  productId: 'prod00qd',
  createdAt: '2026-11-01T08:00:00.000Z',
  updatedAt: '2026-11-01T08:00:00.000Z',
}

/** Returns the errors that the form shows when a new pod is submitted. */
async function findErrors(values: ReturnType<typeof toPodValues>, images = pod.images) {
  try {
    await checkBody('pods', 'create', toPodBody(values, images), findRequiredErrors(values))
    return {}
  } catch (error) {
    return toFormErrors(error, Object.keys(podLabels)).fields
  }
}

describe('a new pod', () => {
  const values = { ...toPodValues(pod), password: 'door' }

  it('has an error for every required field of an empty form', async () => {
    expect(await findErrors({ ...emptyPod, timeSlot: '', tags: '', productId: '' }, [])).toEqual({
      title: 'Title is required',
      description: 'Description is required',
      direction: 'Maps link is required',
      location: 'Location is required',
      features: 'At least one feature is required',
      images: 'At least one image is required',
      booking_requirements: 'Booking requirements is required',
      availability: 'Availability is required',
      cancellation_policy: 'Cancellation policy is required',
      safety_and_property: 'Safety and property is required',
      UserId: 'User id is required',
      deviceId: 'Device id is required',
      serial: 'Device serial is required',
      password: 'Device password is required',
      email: 'Host email is required',
      rate: 'Rate per minute is required',
    })
  })

  it('has no error when all fields are filled in', async () => {
    expect(await findErrors(values)).toEqual({})
  })

  it('counts a field with only spaces as empty', async () => {
    expect(await findErrors({ ...values, title: '  \n ' })).toEqual({ title: 'Title is required' })
  })

  it.each([
    ['abc', 'Rate per minute must be a number'],
    [-1, 'Rate per minute cannot be negative'],
    ['', 'Rate per minute is required'],
    [0, undefined],
    ['2.75', undefined],
  ])('with rate %j has the error %s', async (rate, message) => {
    expect((await findErrors({ ...values, rate })).rate).toBe(message)
  })

  it.each(['host', 'host@', 'host@example', 'a b@example.com'])('does not accept %j as host email', async (email) => {
    expect((await findErrors({ ...values, email })).email).toBe('Host email must be an email address')
  })
})

describe('toPodValues', () => {
  it('keeps a blocked location and blocked features, in their order', () => {
    const values = toPodValues(pod)
    expect(values.location).toBe('location-1')
    expect(values.features).toEqual(['feature-2', 'feature-1'])
  })

  it('has every field of the form', () => {
    expect([...Object.keys(toPodValues(pod)), 'images'].sort()).toEqual(Object.keys(podLabels).sort())
  })
})

describe('toPodBody', () => {
  it('sends ids, the unchanged mask, and only the id and URL of each image', () => {
    const body = toPodBody(toPodValues(pod), pod.images)
    expect(body).toMatchObject({ location: 'location-1', features: ['feature-2', 'feature-1'], password: SECRET_MASK })
    expect(body.images).toEqual([{ public_id: 'image-1', url: '/uploads/image-1.webp' }])
  })
})

describe('toTypedPassword', () => {
  it.each([
    [SECRET_MASK, `${SECRET_MASK}n`, 'n'],
    [SECRET_MASK, `***n*****`, 'n'],
    [SECRET_MASK, '*******', ''],
    [SECRET_MASK, 'new*secret', 'new*secret'],
    [SECRET_MASK, 'new', 'new'],
    [SECRET_MASK, SECRET_MASK, SECRET_MASK],
    ['n', 'ne*', 'ne*'],
    ['', '*', '*'],
  ])('changes %j, edited to %j, into %j', (before, typed, expected) => {
    expect(toTypedPassword(before, typed)).toBe(expected)
  })
})
