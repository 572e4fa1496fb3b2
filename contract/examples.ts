import type * as z from 'zod/mini'
import type { Endpoints } from './endpoints.ts'

/**
 * Example requests and responses of the endpoints for daily work: the OpenAPI document shows them, and the tests send
 * some of them.
 */

type ExampleOf<E> = (E extends { query: infer Q extends z.ZodMiniType } ? { query: z.input<Q> } : object) &
  (E extends { body: infer B extends z.ZodMiniType } ? { body: z.input<B> } : object) &
  (E extends { response: infer R extends z.ZodMiniType } ? { response: z.input<R> } : object)

type ExamplesOf<Group> = { [Name in keyof Group]: ExampleOf<Group[Name]> }

/** Every endpoint of these groups needs an example; a missing one is a compile error. */
type Examples = {
  bookings: ExamplesOf<Pick<Endpoints['bookings'], 'createFor' | 'rebook'>>
  auth: ExamplesOf<Pick<Endpoints['auth'], 'startPasskey' | 'signInWithPasskey'>>
  dashboard: ExamplesOf<Pick<Endpoints['dashboard'], 'today'>>
  users: ExamplesOf<Pick<Endpoints['users'], 'customer' | 'update' | 'setNote'>>
} & {
  [
    Group in 'bookingActions' | 'schedule' | 'closures' | 'hours' | 'companies' | 'series' | 'messages' | 'passkeys'
  ]: ExamplesOf<Endpoints[Group]>
}

const podId = '0193b0c4-7a10-7c3e-9a51-5d1f0a6f2b11'
const otherPodId = '0193b0c4-7a11-7f20-8c02-1be0c2d4e512'
const locationId = '0193b0c4-7a12-7d44-b5c6-90a2e7d3f813'
const bookingId = '0193b0c4-7a13-7a58-9d0e-2f4b6c8e0a14'
const customerId = '0193b0c4-7a14-7b6c-8e1f-3a5c7d9f1b15'
const companyId = '0193b0c4-7a15-7c80-9f20-4b6d8eaf2c16'

const closureId = '0193b0c4-7a17-7ea8-b142-6d8fa0c14e18'
const seriesId = '0193b0c4-7a18-7fbc-8253-7e90b1d25f19'

const interval = {
  podId,
  bookingDate: '2026-11-24',
  startTime: '2026-11-24T09:00:00.000Z',
  endTime: '2026-11-24T10:00:00.000Z',
}

const times = [{ startTime: '2026-11-24T10:00:00.000Z', endTime: '2026-11-24T11:00:00.000Z' }]
const freePod = { podId: otherPodId, podTitle: 'Beacon', locationName: 'Rosebank Link', fewerSeats: null }
const pods = [freePod]
const taken = { code: 'slot_taken', message: 'This time has been booked by somebody else meanwhile.' }

const booking = {
  ...interval,
  _id: bookingId,
  podTitle: 'Aurora',
  bookingPurpose: 'meeting',
  timeSlotNumber: '5',
  status: 'Confirmed',
  isBookingActive: true,
  createdAt: '2026-11-20T07:30:00.000Z',
  location: locationId,
  user: customerId,
  checkedInAt: null,
  noShowAt: null,
  endedAt: null,
  releasedFrom: null,
  note: '',
  seriesId: null,
  price: 150,
  version: 1,
} as const

const bookingPage = {
  ...booking,
  locationName: 'Rosebank Link',
  locationDetails: {
    _id: locationId,
    name: 'Rosebank Link',
    Street: '173 Oxford Road',
    city: 'Johannesburg',
    state: 'Gauteng',
    zip: '2196',
    country_code: 'ZA',
    latitude: -26.1465,
    longitude: 28.0417,
    isBlocked: false,
  },
  username: 'Ayesha Patel',
  balanceDue: 0,
  userDetails: { _id: customerId, firstname: 'Ayesha', lastname: 'Patel', email: 'ayesha@example.com' },
  customerId,
  company: null,
  qrText: 'POD|0193b0c4-7a13-7a58-9d0e-2f4b6c8e0a14',
  customer: { _id: customerId, name: 'Ayesha Patel', email: 'ayesha@example.com', phone: '+27 82 555 0101' },
  madeBy: null,
  pod: { _id: podId, title: 'Aurora', direction: 'https://maps.example.com/?q=-26.1465,28.0417' },
  checkedInMethod: null,
  checkedInBy: null,
  cancelledAt: null,
  cancelReason: null,
  payments: [
    {
      _id: '0193b0c4-7a19-70d0-9364-8fa1c2e3601a',
      amount: 150,
      currency: 'ZAR',
      status: 'completed',
      paymentFacilitator: 'PayFast',
      createdAt: '2026-11-20T07:31:00.000Z',
      refundedAt: null,
    },
  ],
  paid: 150,
  refund: { amount: 150, paid: 150, refunded: 0, overpaid: 0, percent: 100, hoursBefore: 2, fee: 0 },
  cancelReasons: ['Customer asked', 'Booked by mistake'],
  notifies: { to: 'ayesha@example.com', kinds: ['booked', 'moved', 'cancelled'] },
  sendsTo: 'ayesha@example.com',
  messages: [
    {
      _id: '0193b0c4-7a1a-71e4-a475-90b2d3f4711b',
      kind: 'booked',
      subject: 'Booked: Aurora on Tuesday, 24 November 2026',
      toEmail: 'ayesha@example.com',
      state: 'sent',
      createdAt: '2026-11-20T07:30:00.000Z',
      sentAt: '2026-11-20T07:30:02.000Z',
    },
  ],
  actions: ['move', 'cancel'],
  businessNow: '2026-11-23T15:00:00.000Z',
  timeZone: 'Africa/Johannesburg',
} satisfies Examples['bookingActions']['get']['response']

const versioned = { version: 1 }
const changed = { ...bookingPage, version: 2 }
const running = {
  ...changed,
  bookingDate: '2026-11-23',
  startTime: '2026-11-23T14:30:00.000Z',
  endTime: '2026-11-23T16:00:00.000Z',
  status: 'Processing',
} as const
const checkedIn = {
  ...running,
  checkedInAt: '2026-11-23T12:45:00.000Z',
  checkedInMethod: 'staff',
  checkedInBy: 'Lerato Mokoena',
}
const over = { ...running, status: 'Completed', isBookingActive: false } as const

const cancelPolicy = {
  brackets: [
    { hoursBefore: 24, percent: 100 },
    { hoursBefore: 4, percent: 85 },
  ],
  fee: 20,
}

const bookingPolicy = {
  cancelPolicy,
  cancelReasons: ['Customer asked', 'Booked by mistake'],
  version: 3,
  locations: [
    { _id: locationId, name: 'Rosebank Link', city: 'Johannesburg', cancelPolicy: null, noShowMinutes: 15, version: 2 },
  ],
}

const messageTexts = { subject: 'Welcome to {pod}', body: 'See you on {date} at {start}.' }
const templates = {
  templates: [
    {
      _id: '0193b0c4-7a1b-72f8-b586-a1c3e405821c',
      kind: 'booked',
      isEnabled: true,
      ...messageTexts,
      isDefault: false,
      version: 2,
    },
  ],
  locations: [{ _id: locationId, name: 'Rosebank Link', city: 'Johannesburg', reminderHours: 24, version: 2 }],
  isMailSet: true,
} satisfies Examples['messages']['templates']['response']

const closing = {
  podIds: [podId],
  starts: '2026-11-24T08:00:00.000Z',
  ends: '2026-11-24T12:00:00.000Z',
  reason: 'Broken lock',
}
const closure = {
  _id: closureId,
  reason: 'Broken lock',
  location: null,
  pods: [{ _id: podId, title: 'Aurora', locationName: 'Rosebank Link', city: 'Johannesburg' }],
  starts: closing.starts,
  ends: closing.ends,
  repeats: null,
  next: { starts: closing.starts, ends: closing.ends },
  state: 'upcoming',
  createdBy: 'Lerato Mokoena',
  createdAt: '2026-11-23T13:00:00.000Z',
  endedAt: null,
  version: 1,
} satisfies Examples['closures']['list']['response'][number]
const decisions = [{ bookingId, action: 'move', podId: otherPodId } as const]

const hours = {
  week: [
    { weekday: 6 as const, spans: [{ opens: '08:00', closes: '13:00' }] },
    { weekday: 7 as const, spans: [] },
  ],
  exceptions: [{ date: '2026-12-25', label: 'Christmas Day', spans: [] }],
}
const hoursOfLocation = { ...hours, name: 'Rosebank Link', country: 'ZA', location: null, version: 4 }

const contactBody = {
  firstname: 'Ayesha',
  lastname: 'Patel',
  email: 'ayesha@example.com',
  mobile: '+27 82 555 0101',
}
const customer = {
  _id: customerId,
  ...contactBody,
  phoneNumber: contactBody.mobile,
  role: 'user',
  isBlocked: false,
  username: contactBody.email,
  version: 2,
}

const companyBody = {
  name: 'Nest Holdings',
  contactName: 'Sipho Ndlovu',
  email: 'sipho@nest.example.com',
  phone: '+27 11 555 0102',
  vatNumber: '4012345678',
  billingAddress: '1 Sandton Drive, Johannesburg, 2196',
  costCentre: 'Sales',
}
const company = { _id: companyId, ...companyBody, version: 1 }

const visit = {
  podId,
  bookingPurpose: 'meeting',
  for: { kind: 'customer' as const, userId: customerId },
  note: 'Needs a ramp',
}
const repeats = { weekdays: ['TU' as const], everyWeeks: 1, until: '2026-12-08' }
const free = { times, pods: [{ ...freePod, price: 150 }] }
const occurrences = [
  { date: '2026-11-24', ...pick(interval), reasons: [], free: { times: [], pods: [] } },
  {
    date: '2026-12-01',
    startTime: '2026-12-01T09:00:00.000Z',
    endTime: '2026-12-01T10:00:00.000Z',
    reasons: [taken],
    free,
  },
]
const series = {
  _id: seriesId,
  podId,
  podTitle: 'Aurora',
  bookingPurpose: 'meeting',
  rule: 'FREQ=WEEKLY;INTERVAL=1;BYDAY=TU;UNTIL=20261208T235959Z',
  bookings: [
    {
      _id: bookingId,
      podId,
      podTitle: 'Aurora',
      locationName: 'Rosebank Link',
      bookingDate: interval.bookingDate,
      ...pick(interval),
      status: 'Confirmed',
      isUpcoming: true,
      paid: 0,
      refund: 0,
    },
  ],
  version: 1,
} satisfies Examples['series']['get']['response']

function pick({ startTime, endTime }: typeof interval) {
  return { startTime, endTime }
}

const signedInUser = {
  _id: '0193b0c4-7a1a-7de4-a475-90b2d3f47b21',
  firstname: 'Lerato',
  lastname: 'Mokoena',
  email: 'lerato@example.com',
  phoneNumber: '+27 21 555 0100',
  role: 'Operations',
}

const passkeyId = '0193b0c4-7a19-7bd0-9364-8fa1c2e36a20'
const credentialId = '5GasE7Ui_5xUISxX0aqk8Q'
const challenge = 'k1sXyMJuUXQ5pUe1m0Wc2bT8oA4dZ7rG9hN3vLq6FjE'
const passkey = { _id: passkeyId, name: 'Phone', createdAt: '2026-11-20T07:30:00.000Z', lastUsedAt: null }
const credential = { id: credentialId, rawId: credentialId, type: 'public-key' } as const

export const examples: Examples = {
  auth: {
    startPasskey: {
      response: { challenge, rpId: 'pods.example.com', timeout: 300_000, userVerification: 'required' },
    },
    signInWithPasskey: {
      body: {
        challenge,
        credential: {
          ...credential,
          response: {
            clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0Ii…',
            authenticatorData: 'MCaqndwG2NbHCFomDOBV0drdCMofrPzI…',
            signature: 'MEYCIQDTeCls6PPpRFrywV_bnJKlmdce…',
            userHandle: 'MDE5M2IwYzQtN2ExYS03ZGU0LWE0NzU…',
          },
        },
      },
      response: { ...signedInUser, user: signedInUser, token: '…', auth_page: ['1', '5'], message: 'Signed in' },
    },
  },
  passkeys: {
    list: { response: [{ ...passkey, lastUsedAt: '2026-11-24T06:02:11.000Z' }] },
    createOptions: {
      response: {
        challenge,
        rp: { id: 'pods.example.com', name: 'Podkeeper' },
        user: { id: 'MDE5M2IwYzQtN2ExYS03ZGU0LWE0NzU…', name: signedInUser.email, displayName: 'Lerato Mokoena' },
        pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
    },
    create: {
      body: {
        challenge,
        name: 'Phone',
        credential: {
          ...credential,
          response: {
            clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRl…',
            attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRo…',
            transports: ['internal'],
          },
        },
      },
      response: { ...passkey, message: 'Passkey added' },
    },
    update: { body: { name: 'Old phone' }, response: { ...passkey, name: 'Old phone', message: 'Passkey renamed' } },
    delete: { response: { message: 'Passkey removed' } },
  },
  messages: {
    kinds: { response: { kinds: ['booked', 'moved', 'cancelled'], canSend: true } },
    templates: { response: templates },
    setTemplate: { body: messageTexts, response: templates },
    preview: {
      body: messageTexts,
      response: { subject: 'Welcome to Aurora', html: '<!doctype html>…', text: 'Hello Ayesha, …', isExample: false },
    },
    setReminder: { body: { reminderHours: 24 }, response: templates },
    setReminders: { body: { reminderHours: 24 }, response: templates },
    sendAgain: { response: bookingPage },
  },
  dashboard: {
    today: {
      response: {
        now: '2026-11-24T08:50:00.000Z',
        bookings: { running: 7, arriving: 3, late: 1 },
        freePods: 12,
        closedPods: 2,
        failedPayments: 0,
        failedJobs: 0,
        occupancy: {
          podMinutes: 1200,
          days: [
            {
              date: '2026-11-24',
              minutes: [0, 60, 480, 900, 840, 720, 510, 630, 780, 660, 420, 300, 120, 60, 0, 0, 0, 0],
            },
          ],
        },
      },
    },
  },
  users: {
    customer: {
      response: {
        ...customer,
        createdAt: '2026-03-02T09:12:44.000Z',
        isDeleted: false,
        isErased: false,
        note: 'Prefers a pod near the window.',
        blocked: null,
        bookings: { upcoming: 2, past: 11, cancelled: 1, noShows: 0 },
        paid: 4180,
        paidBack: 0,
      },
    },
    update: { body: contactBody, response: customer },
    setNote: { body: { note: 'Prefers a pod near the window.' }, response: { message: 'Note saved' } },
  },
  bookings: {
    createFor: {
      body: { ...interval, ...visit },
      response: { message: 'Booking created successfully', booking: { ...booking, status: 'Pending' } },
    },
    rebook: {
      body: { for: visit.for, price: 150, ...versioned },
      response: { message: 'Booking created successfully', booking: { ...booking, status: 'Pending' } },
    },
  },
  bookingActions: {
    get: { response: bookingPage },
    move: {
      body: { ...interval, startTime: '2026-11-24T10:00:00.000Z', endTime: '2026-11-24T11:30:00.000Z', ...versioned },
      response: changed,
    },
    previewMove: {
      body: interval,
      response: {
        price: 150,
        newPrice: 225,
        difference: 75,
        balanceDue: 75,
        reasons: [taken],
        free: { times, pods },
        notifies: { to: 'ayesha@example.com' },
      },
    },
    freePods: { response: { pods } },
    cancel: {
      body: { reason: 'Customer asked', refund: 100, refundReason: 'Regular customer', ...versioned },
      response: { ...changed, status: 'Cancelled', isBookingActive: false, balanceDue: -100, actions: ['reinstate'] },
    },
    reinstate: { body: versioned, response: changed },
    checkIn: { body: { method: 'staff', ...versioned }, response: checkedIn },
    undoCheckIn: { response: running },
    noShow: { body: versioned, response: { ...over, noShowAt: '2026-11-23T13:00:00.000Z', actions: ['undo-no-show'] } },
    end: { body: versioned, response: { ...over, endedAt: '2026-11-23T13:00:00.000Z', actions: ['undo-end'] } },
    note: { body: { note: 'Needs a ramp', ...versioned }, response: { ...changed, note: 'Needs a ramp' } },
    arrivals: {
      query: { location: locationId },
      response: {
        businessNow: '2026-11-23T15:00:00.000Z',
        counts: { late: 1, expected: 0, leaving: 0, in: 0, over: 0 },
        arrivals: [
          {
            _id: bookingId,
            podId,
            podTitle: 'Aurora',
            locationName: 'Rosebank Link',
            name: 'Ayesha Patel',
            customerId,
            phone: '+27 82 555 0101',
            startTime: running.startTime,
            endTime: running.endTime,
            status: 'Processing',
            checkedInAt: null,
            noShowAt: null,
            endedAt: null,
            note: '',
            version: 2,
            actions: ['move', 'cancel', 'check-in', 'no-show', 'end'],
            group: 'late',
          },
        ],
      },
    },
    checkInByCode: { body: { code: bookingId }, response: checkedIn },
    getPolicy: { response: bookingPolicy },
    setPolicy: { body: { cancelPolicy, cancelReasons: bookingPolicy.cancelReasons }, response: bookingPolicy },
    setLocationPolicy: { body: { cancelPolicy: null, noShowMinutes: 15 }, response: bookingPolicy },
    setNoShowMinutes: { body: { noShowMinutes: 15 }, response: bookingPolicy },
  },
  schedule: {
    get: {
      query: { date: '2026-11-24', location: locationId, freeFrom: '600', freeTo: '660' },
      response: {
        date: '2026-11-24',
        days: 1,
        now: '2026-11-23T15:00:00.000Z',
        locations: [{ _id: locationId, name: 'Rosebank Link', city: 'Johannesburg', isBlocked: false }],
        features: [{ _id: '0193b0c4-7a1a-71e4-a475-90b2d3f4711b', name: 'Wi-Fi' }],
        pods: [
          {
            _id: podId,
            title: 'Aurora',
            location: 0,
            capacity: 4,
            rate: 2.5,
            buffer: 15,
            features: [0],
            isBlocked: false,
            isDeleted: false,
          },
        ],
        discountMinutes: 15,
        free: [0],
        bookings: {
          pod: [0],
          start: [540],
          end: [600],
          buffer: [15],
          status: ['Confirmed'],
          who: ['Ayesha Patel'],
          checkedIn: [],
          noted: [0],
        },
        closures: [{ _id: closureId, reason: 'Broken lock', start: 960, end: 1440, pods: [0] }],
        hours: [{ day: 0, pods: [0], spans: [{ from: 480, to: 1080 }] }],
      },
    },
  },
  closures: {
    list: { query: { state: 'upcoming', page: '1', limit: '10' }, response: [closure] },
    preview: {
      body: closing,
      response: {
        bookings: [
          {
            _id: bookingId,
            podTitle: 'Aurora',
            locationName: 'Rosebank Link',
            city: 'Johannesburg',
            ...interval,
            status: 'Confirmed',
            purpose: 'meeting',
            customerId,
            username: 'Ayesha Patel',
            phone: '+27 82 555 0101',
            email: 'ayesha@example.com',
            company: '',
            paid: 150,
            free: [{ ...freePod, city: 'Johannesburg', bufferMinutes: 15 }],
          },
        ],
      },
    },
    export: {
      query: { separator: 'semicolon' },
      body: { podIds: [podId], starts: closing.starts, ends: closing.ends },
      response: 'Booking Id;Booking Date',
    },
    create: { body: { ...closing, decisions }, response: { ...closure, moved: 1, cancelled: 0 } },
    update: {
      body: { starts: closing.starts, ends: null, reason: closing.reason, decisions },
      response: { ...closure, ends: null, version: 2, moved: 1, cancelled: 0 },
    },
    delete: { response: { message: 'Closure ended' } },
  },
  hours: {
    get: { query: { location: locationId }, response: hoursOfLocation },
    update: {
      query: { location: locationId },
      body: hours,
      response: { ...hoursOfLocation, version: 5, bookingsOutside: { count: 2, firstDate: '2026-12-24' } },
    },
    holidays: {
      query: { year: '2026', country: 'ZA' },
      response: [{ date: '2026-12-16', name: 'Day of Reconciliation' }],
    },
  },
  companies: {
    list: { query: { search: 'nest', sort: 'name' }, response: [company] },
    get: { response: company },
    create: { body: companyBody, response: company },
    update: { body: { costCentre: 'Marketing' }, response: { ...company, costCentre: 'Marketing', version: 2 } },
    delete: { response: { message: 'Company deleted successfully' } },
    upcomingBookings: {
      response: {
        upcomingBookings: 1,
        bookings: [
          {
            _id: bookingId,
            podTitle: 'Aurora',
            locationName: 'Rosebank Link',
            bookingDate: interval.bookingDate,
            ...pick(interval),
            status: 'Confirmed',
          },
        ],
      },
    },
    export: { query: { search: 'nest' }, response: 'Company Id,Company' },
  },
  series: {
    preview: { body: { ...interval, repeats }, response: { occurrences } },
    create: {
      body: {
        ...interval,
        ...visit,
        repeats,
        choices: [{ date: '2026-12-01', action: 'move', podId: otherPodId }],
      },
      response: { message: '3 bookings created', series },
    },
    get: { response: series },
    previewUpdate: {
      query: { scope: 'following', booking: bookingId },
      body: pick(interval),
      response: {
        occurrences: occurrences.map((one) =>
          Object.assign({}, one, { bookingId, version: 1, newPrice: 150, difference: 0 }),
        ),
      },
    },
    update: {
      query: { scope: 'following', booking: bookingId },
      body: { ...pick(interval), choices: [{ bookingId, action: 'skip' }] },
      response: { message: '2 bookings moved' },
    },
    cancel: {
      query: { scope: 'all', booking: bookingId, reason: 'Customer asked' },
      response: { message: '3 bookings cancelled' },
    },
  },
}
