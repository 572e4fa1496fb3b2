import {
  buildBooking,
  buildFeature,
  buildLocation,
  buildPod,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import type { TestServer } from './test-server.ts'

export const DOWN = 'The server cannot be reached. Check your internet connection and try again.'
export const BUSY = 'The server is busy. Try again in a moment.'

/** Builds one record for each list; the staff list shows the person who signs in. */
export async function buildOneOfEach({ db }: TestServer) {
  const location = await buildLocation(db, { name: 'Dock House' })
  const pod = await buildPod(db, { title: 'Aurora', location_id: location.id })
  const user = await buildUser(db, { firstname: 'Zanele', lastname: 'Dlamini' })
  const booking = await buildBooking(db, { pod_id: pod.id, user_id: user.id })
  await buildTransaction(db, { booking_id: booking.id, checkout_id: 'checkout-of-zanele' })
  await buildFeature(db, { name: 'Projector' })
}
