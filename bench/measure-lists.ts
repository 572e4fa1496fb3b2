import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '#contract/routes.ts'
import { timeEach } from './measure.ts'
import { measureRequest, type Row, toP95Row } from './report.ts'
import { ask } from './staff-requests.ts'

/** A request that staff make of a list: `path` gives the path of the n-th request, each with other values. */
type Ask = { what: string; path: (n: number) => string }

const REQUESTS = 25
const LIMIT_MS = 100
/** The time between two letters, which is the pause that the search field waits for. */
const BETWEEN_LETTERS_MS = 200
const TYPING_PEOPLE = 5
/** Short search texts: some occur in nearly every address and number, others in few. */
const FEW_LETTERS = ['c', 'co', 'com', 'e', 'ex', '2', '27', 'a', 'th', '0', 'z', 'c m', 'q']

type Server = { url: string; token: string }

export type Samples = {
  names: string[]
  emails: string[]
  pods: { id: string; title: string }[]
  locations: { id: string; name: string }[]
  users: string[]
  bookings: string[]
  checkouts: string[]
  bookingTotal: number
  /** First and last day of a month around today, YYYY-MM-DD. */
  from: string
  to: string
}

/** Measures every filter, sort and search of the large lists, each beside the time that people perceive as instant. */
export async function measureLists(server: Server, samples: Samples): Promise<Row[]> {
  const rows: Row[] = []
  for (const { what, path } of [...toFilters(samples), ...toSearches(samples)]) {
    rows.push(await measureRequest(what, LIMIT_MS, { warmUp: 3, requests: REQUESTS }, (n) => ask(server, path(n))))
  }
  rows.push(...(await measureTyping(server, samples)))
  return rows
}

/** Measures people who keep typing, a letter at a time. */
async function measureTyping(server: Server, { names }: Samples): Promise<Row[]> {
  const texts = toTyped(names)
  await timeTyping(server, 1, texts)
  const rows: Row[] = []
  for (const people of [1, TYPING_PEOPLE]) {
    const what = `transactions by a customer’s name, typed on by ${people === 1 ? 'one person' : `${people} people at once`}`
    rows.push(toP95Row(what, LIMIT_MS, await timeTyping(server, people, texts)))
  }
  return rows
}

/** Returns the milliseconds until the rows of each search and their total have arrived. */
async function timeTyping(server: Server, people: number, texts: string[]): Promise<number[]> {
  const type = async (person: number) => {
    await sleep((person * BETWEEN_LETTERS_MS) / people)
    const times: number[] = []
    for (let n = 0; n < REQUESTS; n += 1) {
      const search = encodeURIComponent(at(texts, n + person * 7))
      const path = `${routes.transactions.list.path}?page=1&limit=10&search=${search}`
      const [time = Number.NaN] = await timeEach(1, () => ask(server, path))
      times.push(time)
      await sleep(Math.max(0, BETWEEN_LETTERS_MS - time))
    }
    return times
  }
  return (await Promise.all(Array.from({ length: people }, (_, person) => type(person)))).flat()
}

/** Returns the beginnings of each text, letter by letter. */
function toTyped(texts: string[]): string[] {
  return texts.flatMap((text) => Array.from(text, (_, at) => text.slice(0, at + 1)))
}

function toFilters({ pods, locations, users, from, to }: Samples): Ask[] {
  const list = (route: { path: string }, what: string, toQuery: (n: number) => string): Ask => ({
    what,
    path: (n) => `${route.path}?page=${1 + (n % 3)}&limit=10&${toQuery(n)}`,
  })
  const status = (n: number) => at(['Pending', 'Confirmed', 'Processing', 'Completed', 'Rated', 'Cancelled'], n)
  const { bookings, transactions } = routes
  return [
    list(bookings.list, 'bookings of a status, with their total', (n) => `status=${status(n)}`),
    list(bookings.list, 'bookings of a location', (n) => `location=${at(locations, n).id}`),
    list(
      bookings.list,
      'bookings of a status and a location',
      (n) => `status=${status(n)}&location=${at(locations, n).id}`,
    ),
    list(bookings.list, 'bookings of a pod', (n) => `pod=${at(pods, n).id}`),
    list(bookings.list, 'bookings of a customer', (n) => `user=${at(users, n)}`),
    list(bookings.list, 'bookings of a month', () => `from=${from}&to=${to}`),
    list(bookings.list, 'bookings of a month and a status', (n) => `from=${from}&to=${to}&status=${status(n)}`),
    list(bookings.list, 'bookings of all time up to a day, by start', () => `to=${to}&sort=startTime`),
    list(bookings.list, 'bookings by start', (n) => `sort=${n % 2 === 0 ? '-' : ''}startTime`),
    list(transactions.list, 'transactions of a status', (n) => `status=${at(['completed', 'pending', 'failed'], n)}`),
    list(transactions.list, 'transactions of a month', () => `from=${from}&to=${to}`),
    list(transactions.list, 'transactions by amount', (n) => `sort=${n % 2 === 0 ? '-' : ''}amount`),
    list(routes.users.list, 'users of a status, by name', (n) => `status=${at(['active', 'blocked'], n)}&sort=name`),
    list(routes.pods.list, 'pods of a location', (n) => `location=${at(locations, n).id}`),
  ]
}

/** Returns the requests that the portal sends while someone types: the rows with their total. */
function toSearches({ names, emails, pods, locations, bookings, checkouts }: Samples): Ask[] {
  const search = (route: { path: string }, what: string, texts: string[]): Ask => ({
    what,
    path: (n) => `${route.path}?page=1&limit=10&search=${encodeURIComponent(at(texts, n))}`,
  })
  const slips = names.map(
    (name) => name.slice(0, 2) + at(Array.from(name), 3) + at(Array.from(name), 2) + name.slice(4),
  )
  return [
    search(routes.bookings.list, 'bookings by a customer’s name, letter by letter', toTyped(names)),
    search(routes.bookings.list, 'bookings by a name with a slip', slips),
    search(routes.bookings.list, 'bookings by a whole email address', emails),
    search(routes.bookings.list, 'bookings by a pod’s name, letter by letter', toTyped(pods.map(({ title }) => title))),
    search(
      routes.bookings.list,
      'bookings by a location, letter by letter',
      toTyped(locations.map(({ name }) => name)),
    ),
    search(
      routes.bookings.list,
      'bookings by a part of an id',
      bookings.map((id) => id.slice(-6)),
    ),
    search(routes.transactions.list, 'transactions by a checkout id, letter by letter', toTyped(checkouts)),
    search(routes.transactions.list, 'transactions by a customer’s name, letter by letter', toTyped(names)),
    search(routes.users.list, 'users by name, letter by letter', toTyped(names)),
    search(routes.users.list, 'users by an email address, letter by letter', toTyped(emails)),
    search(routes.bookings.list, 'bookings by a letter or two', FEW_LETTERS),
    search(routes.transactions.list, 'transactions by a letter or two', FEW_LETTERS),
    search(routes.users.list, 'users by a letter or two', FEW_LETTERS),
  ]
}

export function at<T>(values: readonly T[], n: number): T {
  const value = values[n % values.length]
  if (value === undefined) throw new Error('There is nothing to ask for')
  return value
}
