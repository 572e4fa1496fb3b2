import type { Holiday, OpeningHours, OpeningHoursBody, SavedHours } from '#contract/hours.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { requireOnePage } from '#server/http/session.ts'
import { isId } from '#server/ids.ts'
import { recordChange } from '../audit/record-change.ts'
import { countOutsideHours } from '../availability/outside-hours.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { findLocation, locationRecord } from '../locations/locations.repository.ts'
import { findPod, podRecord } from '../pods/pods.repository.ts'
import { getHourSet, type HourScope, replaceHours } from './hours.repository.ts'

const owners = {
  pod: { noun: 'Pod', page: PAGE.pods, record: podRecord },
  location: { noun: 'Location', page: PAGE.locations, record: locationRecord },
} as const satisfies Record<HourScope['owner'], { noun: string; page: PageCode; record: unknown }>

type HourQuery = { pod?: string | undefined; location?: string | undefined }

export async function getOpeningHours({ db }: AppContext, query: HourQuery): Promise<OpeningHours> {
  return readOpeningHours(db, toScope(query))
}

/** Replaces the hours, as an edit of the pod or location: recorded in its history, with a new version (rules §22.1). */
export async function setOpeningHours(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  query: HourQuery,
  body: OpeningHoursBody,
): Promise<SavedHours> {
  const scope = toScope(query)
  const { noun, page, record } = owners[scope.owner]
  requireOnePage([page], session)
  const saved = await inTransaction(context.db, async (tx) => {
    const change = { id: scope.id, action: 'edit' } as const
    // A 409 carries the hours, as a form that edits them compares these.
    const kind = { ...record, find: (now: Db | Tx) => readOpeningHours(now, scope) }
    const isChanged = await recordChange(tx, actor, kind, change, async () => {
      await replaceHours(tx, scope, body)
      return true
    })
    if (!isChanged) throw notFound(noun)
    return readOpeningHours(tx, scope)
  })
  return { ...saved, bookingsOutside: await countOutsideHours(context.db, scope, toBusinessNow(context)) }
}

function toScope({ pod, location }: HourQuery): HourScope {
  const owner = pod === undefined ? 'location' : 'pod'
  const id = pod ?? location ?? ''
  if (!isId(id)) throw notFound(owners[owner].noun)
  return { owner, id }
}

async function readOpeningHours(db: Db | Tx, scope: HourScope): Promise<OpeningHours> {
  const { week, exceptions } = toLists(await getHourSet(db, scope))
  if (scope.owner === 'location') {
    const location = await findLocation(db, scope.id)
    if (!location) throw notFound('Location')
    const { name, country_code: country, version } = location
    return { name, country, week, exceptions, location: null, version }
  }
  const pod = await findPod(db, scope.id)
  if (!pod) throw notFound('Pod')
  const location = toLists(await getHourSet(db, { owner: 'location', id: pod.location._id }))
  return { name: pod.title, country: pod.location.country_code, week, exceptions, location, version: pod.version }
}

/** Converts a set of hours to the form of the response. */
function toLists({ week, exceptions }: Awaited<ReturnType<typeof getHourSet>>): OpeningHoursBody {
  return { week: [...week] as OpeningHoursBody['week'], exceptions: [...exceptions] } // weekdays are checked by the table
}

const yearsOf = new Map<string, Holiday[]>()

/** Returns the public holidays of a country, without days that are only observed; none for an unknown country. */
export async function listHolidays(country: string, year: number): Promise<Holiday[]> {
  const key = `${country.toUpperCase()} ${year}`
  const known = yearsOf.get(key)
  if (known) return known
  // Loaded on first use rather than at each start: the library has 270 modules, with the calendars of all countries.
  const { default: Holidays } = await import('date-holidays')
  const holidays = new Holidays(country.toUpperCase())
    .getHolidays(year)
    .filter(({ type }) => type === 'public')
    .map(({ date, name }) => ({ date: date.slice(0, 10), name }))
  yearsOf.set(key, holidays)
  return holidays
}
