import type { endpoints } from '#contract/endpoints.ts'

/** What the OpenAPI document says in words beside what follows from the contract. */

export const about = `
Every path answers with and without \`/api\`. Send it: without it, a GET of a path that does not exist may get the
portal’s page. No path ends in a slash, and none answers HEAD.

**Authentication.** Send \`Authorization: Bearer …\` with an API key, or with the token of a person who has signed in by
\`POST /user/login\`. Each operation says which pages it needs, and whether it accepts a key. Where that of one booking
or series names both Corporate Booking (9) and Booking (6), the first is for what a person made: a key needs the second.

**Errors** are \`{ message, code, errors?, requestId }\`. \`message\` is for people and may change; act on \`code\`. After
a 429 or 503, wait for the seconds that \`Retry-After\` says. After any other 4XX, change the request before you send it
again; after a 5XX or without a response, send the same once more. A 401 \`not_signed_in\` means that the token or key is
unknown, expired or revoked.

**Retries.** Every write should carry an \`Idempotency-Key\`: a request that is sent again with the same key and content,
its fields in the same order, counts once, even while the first is still being processed. A request that was refused
stores nothing, so its key can be used again. Keys of different senders are independent.

**Versions.** \`version\` counts the changes of a record. A change names the version that it was made from, as
\`If-Match\`, or as \`version\` where the body has that field. The \`ETag\` of a response is this version and is not for
caching: no response may be stored.

**Lists.** Without \`page\` and \`limit\`, a list is sent whole; those of what accumulates say that they send the first
page. With either of them, one page is sent. Rows that are added or deleted between two requests shift the pages, so that
a row may come twice or not at all: read the whole list where that matters. Unknown parameters are ignored.

**Files** of \`/exports\` are made for people: CSV in UTF-8 with a byte order mark and the names of the columns, which are
those of the portal, with 12-hour times. A program reads the list of the same records.

**Times** end in Z. \`startTime\`, \`endTime\`, \`starts\`, \`ends\`, opening hours and whatever is called now are the
pod's wall clock labelled Z: 09:00 at the pod is \`09:00:00.000Z\` in any time zone. Never convert them. 24:00 is 00:00 of
the next day. \`createdAt\` and all other names that end in \`At\` are true instants. Dates are \`YYYY-MM-DD\`.

**Values.** A body may have 1 MB, or 64 kB without a token or key. Ids are opaque. Money is in ZAR, not cents. Fields of a
body that are not named here are ignored, fields that an edit leaves out stay as they are, and responses may gain fields.
`.trim()

const FIRST_PAGE = 'Without `page` and `limit` the first page is sent.'

const WITHOUT_PODS =
  'Without Pods (3), `closure` is null, and `UserId`, `deviceId`, `serial` and `email` are empty. Whether a pod can be booked says GET /product/availability/{podId}.'

type Endpoints = typeof endpoints
type Name = { [Tag in keyof Endpoints]: `${Tag}.${keyof Endpoints[Tag] & string}` }[keyof Endpoints]

/** What an operation does that its summary and schemas cannot say. */
export const notes: Partial<Record<Name, string>> = {
  'auth.verifyPage': '`id` is one’s own `_id`, `auth_page` a page code 1 to 9 as a number or text.',
  'pods.list': WITHOUT_PODS,
  'pods.get': WITHOUT_PODS,
  'pods.create':
    '`location` and `features` are ids, or objects with an `_id`. `rate` is that of the platform when it is left out.',
  'pods.update': 'The password of the device is never sent: `********` or empty text keeps the one that is stored.',
  'locations.create':
    '`country_code` may also be the name of a country or its telephone code. It is stored as two letters.',
  'apiKeys.create':
    '`expiresOn` is the last day of the key in the business time zone, or null. It can do no more than its maker, and at most view Assign Role (8).',
  'bookings.create': '`status`, `timeSlotNumber` and `isBookingActive` of the body are ignored.',
  'bookings.createFor':
    'An API key books for customers alone: `for` of the kind `customer` or `newCustomer`; others are a 400. The booking is then the customer’s, so that the key needs Booking (6) too to read, move or cancel it. A new customer needs `email` or `mobile`, and is a 409 email_taken when another has that address: find them by GET /user/all-users?search=. What they pay are the minutes, less those of GET /transactions/getdiscount, times the `rate` of the pod, to the cent. A 409 says in `reasons` what is in the way, and in `free` what is free instead.',
  'bookings.rebook':
    'The new booking has an id and a code of its own. 409 booking_state when the booking has begun or has been paid for: cancel it instead.',
  'bookings.cancel':
    'Gives back what the policy of the booking says. POST /bookings/{id}/cancel takes a reason and another amount.',
  'bookingActions.cancel':
    'Frees the time at once. `refund` of GET /bookings/{id} is what the policy gives back now; it becomes a negative `balanceDue`, and is paid by the payment system.',
  'bookingActions.checkIn':
    'Staff send `staff` or `code`, an API key `door` or `code`. With `code`, `code` of the body is that of this booking. 409 already_checked_in until the booking ends, booking_state on other days and after its end.',
  'bookingActions.checkInByCode':
    'A code counts all day at every pod: before it opens, a door compares `podId` of the booking with its own, and `startTime` and `endTime` with the wall clock; GET /user/get-booking/{id} reads them without checking in. 400 when no booking of today has the code, which goes for cancelled ones too. 409 already_checked_in until the booking ends, booking_state after that.',
  'bookingActions.arrivals':
    'There is no parameter for one pod: a door picks its bookings by `podId`, and can keep them for a while without a connection. The code of a booking is its `qrText`, as in GET /bookings/{id}, or at least the last six characters of its `_id`.',
  'bookingActions.move':
    'The id, the customer and the payments stay. The code stays too, unless its text names the times or the pod.',
  'series.create':
    'At most 200 bookings. 409 series_conflict names in `reasons` what is in the way: send `choices` for these dates.',
  'series.update':
    '`If-Match` is the version of the series. `booking` is needed for `this` and `following`. Only the times of day are read: each booking keeps its date.',
  'transactions.list':
    'Payments are stored by the payment system, and cannot be made here. `completed` ones in ZAR count as paid, `refunded` ones as given back.',
  'pricing.getRate':
    'Of new pods that are made without a rate. What a booking costs follows from the `rate` of its pod.',
  'pricing.getDiscount': 'So many minutes of each booking are free.',
  'schedule.get':
    'Times are minutes since 00:00 of `date` on the wall clock of the pods. `freeFrom` and `freeTo` are sent together, and several `days` for one `pod`. The columns of `bookings` belong together by their index; `checkedIn` and `noted` are lists of such indexes.',
  'closures.create':
    'Either `podIds` or `locationId`. 409 closure_undecided until `decisions` has one for each booking that POST /closures/preview names.',
  'closures.list': FIRST_PAGE,
  'closures.update':
    'A closure keeps its pods or location. Times that are left out stay. The bookings that are hit are decided on again.',
  'closures.export': 'Either `podIds` or `locationId`.',
  'hours.get': 'Either `location` or `pod`.',
  'hours.update':
    'Either `location` or `pod`. Replaces all hours of it: weekdays that are left out follow the location, or are open from 06:00 to 24:00.',
  'audit.list': FIRST_PAGE,
  'mails.list': FIRST_PAGE,
  'apiKeys.list': FIRST_PAGE,
  'rolePresets.list': FIRST_PAGE,
  'deliveries.list': FIRST_PAGE,
  'failedJobs.list': FIRST_PAGE,
  'audit.history':
    FIRST_PAGE +
    ' The fields of `before` and `after` are the columns of the record, in which wall clocks end in +00:00. Their ids are named in `names`.',
  'uploads.create':
    'At most 10 images of 10 MB each: JPEG, PNG, WebP, GIF or AVIF. All are stored, or none. `files` are sent as the `images` of a pod.',
  'webhooks.create':
    'An event such as `pod.blocked`, or `pod.*` for all of a kind. Check signatures with `secret`, which is shown in this response alone.',
  'live.stream':
    'Ask with `Accept: text/event-stream`. `ready` comes first, then `changes`, a list of `{ entity, id?, version?, tab? }`, and `editing`, who has a record open. Nothing is kept for who is not connected: read again what is shown after each `ready`.',
}
