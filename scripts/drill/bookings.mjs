import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Books over HTTP at a steady rate, whatever the state of the servers, and retries lost requests with the same key, as
 * the portal does. Every tenth time is requested by two clients at once. Acknowledged bookings are kept, to be compared
 * with the database.
 */

/** Quarters of an hour from 06:00 to 24:00. */
const QUARTERS_A_DAY = 72
const FIRST_DAY = Date.UTC(2040, 0, 1)
const RETRY_MS = 300
const GIVE_UP_MS = 90_000
/** The maximum number of pending requests; beyond it the drill sends fewer than planned. */
const MOST_WAITING = 500

export function keepBooking(urls, token, podIds, perSecond) {
  const acknowledged = new Map()
  const result = { sent: 0, retried: 0, refused: [], lost: 0, skipped: 0, contested: 0, acknowledged }
  const times = []
  let waiting = 0
  let quarters = 0
  const over = new AbortController()

  const send = async (slot, key, isContested) => {
    const startedAt = Date.now()
    for (let attempt = 0; Date.now() - startedAt < GIVE_UP_MS; attempt++) {
      const response = await post(urls[(quarters + attempt) % urls.length], token, slot, key)
      if (response && response.status < 300) {
        acknowledged.set(response.body.booking._id, slot)
        times.push({ startedAt, at: Date.now() })
        return
      }
      if (response?.status === 409 && isContested && response.body.message.startsWith('Booking with the same')) return
      if (response && response.status < 500) {
        result.refused.push(`${response.status} ${response.body.message}`)
        return
      }
      result.retried += 1
      await pause(RETRY_MS)
    }
    result.lost += 1
  }
  const book = () => {
    const slot = toSlot(podIds, quarters++)
    const isContested = quarters % 10 === 0
    if (isContested) result.contested += 1
    return Promise.all(
      Array.from({ length: isContested ? 2 : 1 }, async () => {
        waiting += 1
        result.sent += 1
        await send(slot, randomUUID(), isContested)
        waiting -= 1
      }),
    )
  }
  const loop = async () => {
    const startedAt = Date.now()
    const open = new Set()
    for (let due = 0; !over.signal.aborted; due++) {
      const wait = startedAt + (due * 1000) / perSecond - Date.now()
      if (wait > 0) await pause(wait)
      if (waiting >= MOST_WAITING) {
        result.skipped += 1
        continue
      }
      const booking = book().finally(() => open.delete(booking))
      open.add(booking)
    }
    await Promise.all(open)
  }
  const done = loop()
  return {
    result,
    /** Returns the milliseconds from a moment until the first acknowledgement of a booking that was requested since. */
    findRecovery: (since) => {
      const first = times.find(({ startedAt }) => startedAt >= since)
      return first && first.at - since
    },
    /** Returns the longest time in milliseconds since a moment in which nothing was acknowledged. */
    findLongestGap: (since) => {
      const moments = [since, ...times.filter(({ at }) => at >= since).map(({ at }) => at), Date.now()]
      return Math.max(...moments.slice(1).map((at, index) => at - moments[index]))
    },
    async stop() {
      over.abort()
      await done
    },
  }
}

function toSlot(podIds, number) {
  const [place, rest] = [number % QUARTERS_A_DAY, Math.floor(number / QUARTERS_A_DAY)]
  const day = FIRST_DAY + Math.floor(rest / podIds.length) * 86_400_000
  const start = day + (360 + place * 15) * 60_000
  return { podId: podIds[rest % podIds.length], day, start, end: start + 15 * 60_000 }
}

/** Returns undefined when no response came. */
async function post(url, token, { podId, day, start, end }, key) {
  try {
    const response = await fetch(`${url}/api/user/create-booking/${podId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({
        bookingPurpose: 'work',
        bookingDate: new Date(day).toISOString().slice(0, 10),
        startTime: new Date(start).toISOString(),
        endTime: new Date(end).toISOString(),
      }),
      signal: AbortSignal.timeout(40_000),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return undefined
  }
}
