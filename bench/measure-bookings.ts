import { parseConfig } from '#server/config.ts'
import { createContext } from '#server/create-context.ts'
import type { DatabaseHandle } from '#server/db/client.ts'
import { createId } from '#server/ids.ts'
import { systemActor } from '#server/modules/audit/record-event.ts'
import { insertBookings, NOT_SOLD } from '#server/modules/bookings/booking-slots.repository.ts'
import { createBooking as book } from '#server/modules/bookings/bookings.service.ts'
import { createHours, type Hour, toBookingRequest } from './hours.ts'
import { request } from './http-request.ts'
import { alternate, median, timeEach } from './measure.ts'
import { recordStatements } from './record-statements.ts'
import { type Row, toRow } from './report.ts'
import { openLimit, type Seeded } from './seeded.ts'

const ROUNDS = 5

/**
 * Creates bookings of an hour one after another, over HTTP and as the bare SQL transaction on the driver's own
 * connection. An empty request shows the cost of HTTP on this machine, so the second row shows what the product adds to
 * SQL and HTTP. The third row leaves out HTTP and the session, and compares the product's code with its SQL.
 */
export async function measureBookings(
  server: { url: string; token: string },
  prepared: { podId: string; staffId: string },
  seeded: Seeded,
): Promise<Row[]> {
  const database = await openLimit(seeded)
  try {
    const pods = [prepared.podId]
    const overHttp = createHours(pods, 0)
    const inSql = createHours(pods, 20_000)
    const bookBare = await createBareBooking(database, prepared.podId, prepared.staffId)
    const bookInProcess = await createServiceBooking(database, prepared, seeded.settings)
    const inService = createHours(pods, 30_000)
    const emptyRequest = () => request(`${server.url}/healthz`)
    // Warm-up: after a few hundred requests the server's code has been compiled.
    await timeEach(300, () => bookOverHttp(server, overHttp()))
    await timeEach(300, () => bookBare(inSql()))
    await timeEach(300, () => bookInProcess(inService()))
    const services: number[] = []
    const empty: number[] = []
    const { product: reached, limit } = await alternate(
      ROUNDS,
      async () => median(await timeEach(60, () => bookOverHttp(server, overHttp()))),
      async () => {
        empty.push(...(await timeEach(60, emptyRequest)))
        services.push(median(await timeEach(60, () => bookInProcess(inService()))))
        return median(await timeEach(60, () => bookBare(inSql())))
      },
    )
    const alone = { limit, of: 'its SQL transaction alone', aim: '≤ 1.5' }
    return [
      toRow({ ...alone, what: 'booking creation', product: reached }),
      toRow({
        ...alone,
        what: 'the same, beside SQL and HTTP',
        product: reached,
        limit: limit + median(empty),
        of: 'its SQL transaction and an empty call',
      }),
      toRow({ ...alone, what: 'booking creation, without HTTP and session', product: median(services) }),
    ]
  } finally {
    await database.close()
  }
}

export async function bookOverHttp({ url, token }: { url: string; token: string }, hour: Hour): Promise<void> {
  const { path, ...booking } = toBookingRequest(token, hour)
  const response = await request(url + path, booking)
  if (response.status !== 201) throw new Error(`A booking of the benchmark was answered with ${response.status}`)
}

/**
 * Records the product's statement for a booking; returns a function that runs it on the driver alone, with another
 * hour's values.
 */
export async function createBareBooking({ pool }: DatabaseHandle, podId: string, staffId: string) {
  const { rows } = await pool.query<{ location_id: string }>('select location_id from pods where id = $1', [podId])
  const locationId = rows[0]?.location_id ?? ''
  const toBooking = ({ podId, date, start, end }: Hour) => ({
    id: createId(),
    pod_id: podId,
    pod_title: 'The pod of the benchmark',
    location_id: locationId,
    user_id: null,
    staff_id: staffId,
    company_id: null,
    made_by_staff_id: null,
    series_id: null,
    booking_date: date,
    purpose: 'meeting',
    start_time: new Date(start),
    end_time: new Date(end),
    slot_count: 5,
    note: '',
    ...NOT_SOLD,
    created_at: new Date(),
    audit_id: createId(),
  })
  const sample = toBooking(createHours([podId], 60_000)())
  const [statement] = await recordStatements(pool, (recording) =>
    insertBookings(recording, { ...systemActor(() => new Date()), kind: 'staff', id: staffId }, [sample]),
  )
  if (!statement) throw new Error('Creating a booking ran no statement')
  // The bookings are one parameter, the first; the others say who makes them.
  const [, ...others] = statement.values
  return async (hour: Hour) => {
    await pool.query({ ...statement, values: [JSON.stringify([toBooking(hour)]), ...others] })
  }
}

/** Returns the endpoint's service, running in this process: every rule, the statement and the response's shape. */
async function createServiceBooking(
  database: DatabaseHandle,
  { podId, staffId }: { podId: string; staffId: string },
  settings: Record<string, string>,
) {
  const context = await createContext(parseConfig(settings), database)
  const staff = { _id: staffId, firstname: '', lastname: '', email: '', phoneNumber: '', role: '' }
  const signedIn = {
    id: staffId,
    tokenHash: Buffer.alloc(0),
    staff,
    pages: [],
    viewOnlyPages: [],
    locations: null,
    mustReplacePassword: false,
    mustSetUpSecondFactor: false,
    lastUsedAt: new Date(),
    confirmedAt: new Date(),
  }
  return ({ date, start, end }: Hour) =>
    book(context, { ...systemActor(() => new Date()), id: staffId }, signedIn, podId, {
      bookingPurpose: 'meeting',
      bookingDate: date,
      startTime: start,
      endTime: end,
    })
}
