import { PAGE, type PageCode } from './pages.ts'

/** Who may use an endpoint: anyone, anyone signed in, or staff who hold at least one of the pages (rules §2.2). */
type Access = 'public' | 'session' | readonly PageCode[]

/**
 * How an endpoint treats staff who have only some locations. `narrowed`: it shows only records of their locations, and
 * accepts only ids of these in an edit. `of`: the record whose id is in the path must belong to one of their locations.
 * `all`: it concerns the whole platform and needs all locations. `none`: it has nothing to do with locations.
 */
type Locations = 'narrowed' | { of: LocatedKind } | 'all' | 'none'

/**
 * A kind of record that belongs to locations. A `change` belongs to those of its record; `deleted` is of the kind that
 * the body names.
 */
export type LocatedKind =
  | 'pod'
  | 'location'
  | 'booking'
  | 'series'
  | 'closure'
  | 'customer'
  | 'company'
  | 'change'
  | 'deleted'

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /**
   * Why viewing a page is enough for this endpoint although its method is not GET. Every other endpoint that is not a
   * GET needs a page that the person may edit (rules §34.2).
   */
  viewIsEnough?: string
  /** Set on endpoints with access `session` that change records; their service checks the page of each record. */
  edits?: true
  /** Parameters are written `:name`. `/api` is left out: every path works with and without it (rules §16.1). */
  path: string
  access: Access
  /** How the endpoint treats staff who have only some locations (rules §37.2). */
  locations: Locations
  summary: string
  /**
   * A repeated request with the same `Idempotency-Key` gets the first response (rules §23.1). True: the endpoint
   * creates or charges, and its handler itself uses `createOnce`. False: it takes no key, because it stores nothing, or
   * not in one transaction.
   */
  idempotent?: boolean
  /**
   * Prepares its change outside the transaction, so its handler uses `createOnce` itself, as those that create do: a
   * transaction must not wait for another service, least of all on the embedded engine, which runs one at a time.
   */
  preparesOutside?: true
  /** Its response shows a secret once. The copy of it that repeated requests get is encrypted (rules §23.3). */
  showsSecret?: true
  /** Allowed for those who must set up a second factor and can do nothing else until they have (rules §33.10). */
  beforeSetUp?: true
  /** Allowed for those whose password was generated and who can do nothing else until they replace it (rules §33.18). */
  beforeNewPassword?: true
  /** Asks for the password again when the person last gave it more than 15 minutes ago (rules §33.6). */
  sensitive?: true
  /** Concerns a person's own account or access rights, so API keys are refused (rules §38.3). */
  peopleOnly?: true
  /** Overrides what the method implies for those who view the portal as a colleague. */
  inView?: InView
}

/**
 * How a request is treated while someone views the portal as a colleague (rules §34.11): `read` gives what the
 * colleague would get, `refused` is an error, and `own` is about the viewer themselves.
 */
type InView = 'read' | 'refused' | 'own'

/**
 * Returns how a request is treated while viewing as a colleague. Sensitive requests are refused unless the route says
 * otherwise, so that nobody gets their result under another name.
 */
export function toInView({ method, sensitive, inView }: Route): InView {
  return inView ?? (method === 'GET' && !sensitive ? 'read' : 'refused')
}

/**
 * Returns whether API keys may use this endpoint, given its pages. Sensitive endpoints ask for a password, which keys
 * do not have.
 */
export function admitsKeys({ sensitive, peopleOnly }: Route): boolean {
  return !sensitive && !peopleOnly
}

/** Returns whether an endpoint needs a page that the person may edit, not only view (rules §34.2). */
export function isEdit({ method, access, viewIsEnough }: Route): boolean {
  return method !== 'GET' && access !== 'public' && viewIsEnough === undefined
}

/** Returns whether an endpoint accepts an `Idempotency-Key`: all that write do, unless they opt out. */
export function takesKey({ method, access, idempotent }: Route): boolean {
  return method !== 'GET' && access !== 'public' && idempotent !== false
}

/** What is done before signing in. */
const anyone = { access: 'public', locations: 'none' } as const

/** A preview is read with a POST, as it needs a body. */
const preview = { viewIsEnough: 'A preview, which changes nothing', inView: 'read', idempotent: false } as const

/** A change of one’s own account, whatever pages one holds. */
const ownAccount = { access: 'session', locations: 'none', viewIsEnough: 'Of one’s own account' } as const

/** What is shown of one’s own account, which is nobody else’s to see. */
const ownDetails = { access: 'session', locations: 'none', inView: 'refused', peopleOnly: true } as const

const { dashboard, features, pods, transactions, users, bookings, locations, staff, corporateBooking } = PAGE

/** What concerns one booking, for staff who hold Booking; with Corporate Booking alone, one that they made. */
const oneBooking = { access: [corporateBooking, bookings], locations: { of: 'booking' } } as const

/** What concerns the whole platform, for staff who hold Assign Role. */
const administration = { access: [staff], locations: 'all' } as const

/**
 * Every endpoint of the API as plain data, separate from the schemas so that the portal's bundle contains no validator.
 * `contract/<domain>.ts` joins each endpoint with its schemas.
 */
export const routes = {
  auth: {
    login: { method: 'POST', path: '/user/login', ...anyone, summary: 'Sign in' },
    signInWithCode: {
      method: 'POST',
      path: '/sessions',
      ...anyone,
      summary:
        'The second step of signing in: the challenge of the first, with a code of the authenticator app or a recovery code',
    },
    startPasskey: {
      method: 'POST',
      path: '/sessions/passkey-options',
      ...anyone,
      summary: 'What a browser needs to ask for a passkey in place of the password',
    },
    signInWithPasskey: {
      method: 'POST',
      path: '/sessions/passkeys',
      ...anyone,
      summary: 'Sign in with a passkey in place of the password, or after it as the second step',
    },
    verifyPage: {
      method: 'POST',
      path: '/user/verify-page',
      access: 'session',
      locations: 'none',
      viewIsEnough: 'Reads only',
      inView: 'read',
      summary: 'Ask whether the signed-in staff member holds a page',
      idempotent: false,
      peopleOnly: true,
    },
    signOut: {
      method: 'POST',
      path: '/user/logout',
      ...ownAccount,
      inView: 'own',
      beforeSetUp: true,
      beforeNewPassword: true,
      summary: 'Sign out: the server ends the session',
      idempotent: false,
      peopleOnly: true,
    },
    changePassword: {
      method: 'PUT',
      path: '/user/change-password',
      ...ownAccount,
      beforeNewPassword: true,
      summary: 'Change your own password and end your other sessions: gives this session a new token',
      idempotent: false,
      peopleOnly: true,
    },
    requestPasswordLink: {
      method: 'POST',
      path: '/password-links',
      ...anyone,
      summary: 'Ask for a mail with a link to choose a password; the response never says whether the address is known',
    },
    readPasswordLink: {
      method: 'POST',
      path: '/password-links/read',
      ...anyone,
      summary: 'Whose password a link sets; 410 when it is used or over',
    },
    usePasswordLink: {
      method: 'POST',
      path: '/password-links/use',
      ...anyone,
      summary: 'Choose a password by a link, which works once; ends all sessions of the person',
    },
    commonPasswords: {
      method: 'GET',
      path: '/user/common-passwords',
      ...anyone,
      summary: 'Common passwords, which are refused',
    },
  },
  account: {
    get: {
      method: 'GET',
      path: '/account',
      ...ownDetails,
      beforeSetUp: true,
      summary: 'Your own account',
    },
    update: {
      method: 'PUT',
      path: '/account',
      ...ownAccount,
      summary: 'Change your own name and phone number',
      peopleOnly: true,
    },
    sessions: {
      method: 'GET',
      path: '/sessions',
      ...ownDetails,
      summary: 'Where you are signed in, the latest use first',
    },
    confirm: {
      method: 'POST',
      path: '/sessions/confirmations',
      ...ownAccount,
      beforeSetUp: true,
      summary:
        'Give your password again, after which sensitive calls pass for 15 minutes: gives your session a new token',
      idempotent: false,
      peopleOnly: true,
    },
    endSession: {
      method: 'DELETE',
      path: '/sessions/:id',
      ...ownAccount,
      summary: 'End one of your sessions',
      sensitive: true,
    },
    endOtherSessions: {
      method: 'DELETE',
      path: '/sessions',
      ...ownAccount,
      summary: 'End all of your sessions but this one',
      sensitive: true,
    },
  },
  secondFactors: {
    get: {
      method: 'GET',
      path: '/second-factors',
      ...ownDetails,
      beforeSetUp: true,
      summary: 'Whether you have a second factor, whether one is required, and how many recovery codes are left',
    },
    create: {
      method: 'POST',
      path: '/second-factors',
      ...ownAccount,
      beforeSetUp: true,
      summary: 'Make a new key for your authenticator app, shown once; it counts when a code of it is confirmed',
      sensitive: true,
      idempotent: false,
    },
    confirm: {
      method: 'POST',
      path: '/second-factors/confirmations',
      ...ownAccount,
      beforeSetUp: true,
      summary: 'Confirm the new key by a code: gives ten recovery codes, shown once, and ends your other sessions',
      sensitive: true,
      idempotent: false,
    },
    createRecoveryCodes: {
      method: 'POST',
      path: '/recovery-codes',
      ...ownAccount,
      summary: 'Make ten new recovery codes, shown once; those of before are over',
      sensitive: true,
      idempotent: false,
    },
    delete: {
      method: 'DELETE',
      path: '/second-factors',
      ...ownAccount,
      summary: 'Turn your authenticator app off',
      sensitive: true,
      idempotent: false,
    },
    getRequirement: {
      method: 'GET',
      path: '/second-factors/requirement',
      ...administration,
      summary: 'Whether a second factor is required of everyone, and how many of the active staff have one',
      peopleOnly: true,
    },
    setRequirement: {
      method: 'PUT',
      path: '/second-factors/requirement',
      ...administration,
      summary: 'Require a second factor of everyone, or no longer; whoever requires it has to have one',
      sensitive: true,
    },
  },
  passkeys: {
    list: {
      method: 'GET',
      path: '/passkeys',
      ...ownDetails,
      summary: 'Your passkeys, the oldest first',
    },
    createOptions: {
      method: 'POST',
      path: '/passkeys/options',
      ...ownAccount,
      beforeSetUp: true,
      summary: 'What a browser needs to make a passkey for you',
      sensitive: true,
      idempotent: false,
    },
    create: {
      method: 'POST',
      path: '/passkeys',
      ...ownAccount,
      beforeSetUp: true,
      summary:
        'Add the passkey that your browser has made; as your first second factor it gives ten recovery codes, shown once, and ends your other sessions',
      sensitive: true,
      idempotent: false,
    },
    update: {
      method: 'PUT',
      path: '/passkeys/:id',
      ...ownAccount,
      summary: 'Rename one of your passkeys',
      peopleOnly: true,
    },
    delete: {
      method: 'DELETE',
      path: '/passkeys/:id',
      ...ownAccount,
      summary: 'Remove one of your passkeys, which signs nobody in any more',
      sensitive: true,
      idempotent: false,
    },
  },
  dashboard: {
    get: {
      method: 'GET',
      path: '/dashboard/:userId',
      access: [dashboard],
      locations: 'narrowed',
      summary: 'The six panels of the dashboard',
      peopleOnly: true,
    },
    today: {
      method: 'GET',
      path: '/today',
      access: [dashboard],
      locations: 'narrowed',
      summary: 'What is going on now, and how full the next days are, each for staff who hold its page',
    },
  },
  features: {
    list: {
      method: 'GET',
      path: '/location/features',
      access: [features, pods],
      locations: 'none',
      summary: 'List features in their order',
    },
    create: {
      method: 'POST',
      path: '/location/create-features',
      access: [features],
      locations: 'all',
      summary: 'Create a feature',
      idempotent: true,
    },
    update: {
      method: 'PUT',
      path: '/location/edit-feature/:id',
      access: [features],
      locations: 'all',
      summary: 'Edit a feature',
    },
    block: {
      method: 'PUT',
      path: '/location/block-features/:id',
      access: [features],
      locations: 'all',
      summary: 'Block a feature',
    },
    unblock: {
      method: 'PUT',
      path: '/location/unblock-features/:id',
      access: [features],
      locations: 'all',
      summary: 'Unblock a feature',
    },
    blockSingular: {
      method: 'PUT',
      path: '/location/block-feature/:id',
      access: [features],
      locations: 'all',
      summary: 'Block a feature, as block-features does',
    },
    unblockSingular: {
      method: 'PUT',
      path: '/location/unblock-feature/:id',
      access: [features],
      locations: 'all',
      summary: 'Unblock a feature, as unblock-features does',
    },
    delete: {
      method: 'DELETE',
      path: '/location/delete-feature/:id',
      access: [features],
      locations: 'all',
      summary: 'Delete a feature',
    },
    reorder: {
      method: 'POST',
      path: '/location/update-features-order',
      access: [features],
      locations: 'all',
      summary: 'Put all features in a new order, all or nothing',
    },
    usage: {
      method: 'GET',
      path: '/location/feature-usage/:id',
      access: [features],
      locations: 'narrowed',
      summary: 'Number of pods that have a feature',
    },
    export: {
      method: 'GET',
      path: '/exports/features',
      access: [features],
      locations: 'none',
      summary: 'Features.csv',
    },
  },
  locations: {
    list: {
      method: 'GET',
      path: '/location/details',
      access: [locations, pods, bookings, transactions, staff],
      locations: 'narrowed',
      summary: 'List locations',
    },
    get: {
      method: 'GET',
      path: '/location/get-location/:id',
      access: [locations, pods, bookings, transactions, staff],
      locations: { of: 'location' },
      summary: 'Get one location',
    },
    create: {
      method: 'POST',
      path: '/location/create',
      access: [locations],
      locations: 'all',
      summary: 'Create a location',
      idempotent: true,
    },
    update: {
      method: 'PUT',
      path: '/location/edit-location/:id',
      access: [locations],
      locations: { of: 'location' },
      summary: 'Edit a location',
    },
    block: {
      method: 'PUT',
      path: '/location/block-Location/:id',
      access: [locations],
      locations: { of: 'location' },
      summary: 'Block a location',
    },
    unblock: {
      method: 'PUT',
      path: '/location/unblock-Location/:id',
      access: [locations],
      locations: { of: 'location' },
      summary: 'Unblock a location',
    },
    delete: {
      method: 'DELETE',
      path: '/location/delete-Location/:id',
      access: [locations],
      locations: 'all',
      summary: 'Delete a location that has no pods',
    },
    upcomingBookings: {
      method: 'GET',
      path: '/location/upcoming-bookings/:id',
      access: [locations],
      locations: { of: 'location' },
      summary: 'Number of upcoming bookings at a location',
    },
  },
  pods: {
    list: {
      method: 'GET',
      path: '/product/getall',
      access: [pods, bookings, corporateBooking],
      locations: 'narrowed',
      summary: 'List pods',
    },
    get: {
      method: 'GET',
      path: '/product/get-pod/:id',
      access: [pods, bookings],
      locations: { of: 'pod' },
      summary: 'Get one pod',
    },
    create: {
      method: 'POST',
      path: '/product/create-pods',
      access: [pods],
      locations: 'narrowed',
      summary: 'Create a pod',
      idempotent: true,
    },
    update: {
      method: 'PUT',
      path: '/product/edit-pods/:id',
      access: [pods],
      locations: { of: 'pod' },
      summary: 'Edit a pod',
    },
    block: {
      method: 'PUT',
      path: '/product/block-pods/:id',
      access: [pods],
      locations: { of: 'pod' },
      summary: 'Block a pod',
    },
    unblock: {
      method: 'PUT',
      path: '/product/unblock-pods/:id',
      access: [pods],
      locations: { of: 'pod' },
      summary: 'Unblock a pod',
    },
    delete: {
      method: 'DELETE',
      path: '/product/delete-pods/:id',
      access: [pods],
      locations: { of: 'pod' },
      summary: 'Delete a pod',
    },
    upcomingBookings: {
      method: 'GET',
      path: '/product/upcoming-bookings/:id',
      access: [pods],
      locations: { of: 'pod' },
      summary: 'Number of upcoming bookings of a pod',
    },
    export: { method: 'GET', path: '/exports/pods', access: [pods], locations: 'narrowed', summary: 'Pods.csv' },
  },
  uploads: {
    create: {
      method: 'POST',
      path: '/upload',
      access: [pods],
      locations: 'none',
      summary: 'Upload images (multipart, repeated part `images`)',
      idempotent: false,
    },
  },
  bookings: {
    availability: {
      method: 'GET',
      path: '/product/availability/:podId',
      access: [corporateBooking, pods],
      locations: { of: 'pod' },
      summary: 'Booked slots of a pod on a date',
    },
    create: {
      method: 'POST',
      path: '/user/create-booking/:podId',
      access: [corporateBooking],
      locations: { of: 'pod' },
      summary: 'Create a corporate booking',
      idempotent: true,
      peopleOnly: true,
    },
    createFor: {
      method: 'POST',
      path: '/bookings',
      access: [corporateBooking],
      locations: 'narrowed',
      summary: 'Book for oneself, a customer, a new customer or a company',
      idempotent: true,
    },
    rebook: {
      method: 'POST',
      path: '/bookings/:id/rebook',
      access: [corporateBooking],
      locations: { of: 'booking' },
      summary:
        'Book the pod and time of a booking for somebody else, and cancel that booking, which nobody has paid for',
      idempotent: true,
    },
    get: {
      method: 'GET',
      path: '/user/get-booking/:id',
      ...oneBooking,
      summary: 'Get one booking with the text of its QR code',
    },
    cancel: {
      method: 'PUT',
      path: '/user/cancel-booking/:id',
      ...oneBooking,
      summary: 'Cancel a booking before its end',
    },
    list: {
      method: 'GET',
      path: '/user/all-bookings',
      access: [bookings],
      locations: 'narrowed',
      summary: 'List bookings, newest first',
    },
    export: {
      method: 'GET',
      path: '/exports/bookings',
      access: [bookings],
      locations: 'narrowed',
      summary: 'Bookings_Report.csv',
    },
  },
  schedule: {
    get: {
      method: 'GET',
      path: '/schedule',
      access: [bookings],
      locations: 'narrowed',
      summary: 'A day of all pods, or of a location’s, or several days of one pod: pods, bookings, closures and hours',
    },
  },
  bookingActions: {
    get: {
      method: 'GET',
      path: '/bookings/:id',
      ...oneBooking,
      summary: 'Get one booking with its customer, payments and what can be done now; page 9 alone: their own',
    },
    move: {
      method: 'PUT',
      path: '/bookings/:id/interval',
      ...oneBooking,
      summary: 'Move, extend or shorten a booking; 409 with what is in the way and what is free instead',
    },
    previewMove: {
      method: 'POST',
      path: '/bookings/:id/interval/preview',
      ...oneBooking,
      ...preview,
      summary: 'Ask what a move would cost and what is in its way, and change nothing',
    },
    freePods: {
      method: 'GET',
      path: '/bookings/:id/free-pods',
      ...oneBooking,
      summary:
        'Up to three pods like that of a booking which are free at its time; page 9 alone: of their own bookings',
    },
    cancel: {
      method: 'POST',
      path: '/bookings/:id/cancel',
      ...oneBooking,
      summary: 'Cancel a booking with a reason; what is given back follows its policy unless said otherwise',
    },
    reinstate: {
      method: 'POST',
      path: '/bookings/:id/reinstate',
      ...oneBooking,
      summary: 'Take a cancellation, a no-show or an early end back while the time is still free',
    },
    checkIn: {
      method: 'POST',
      path: '/bookings/:id/check-in',
      ...oneBooking,
      summary: 'Check the customer in: staff by hand, an API key by the door, both by the code of the booking',
    },
    undoCheckIn: {
      method: 'DELETE',
      path: '/bookings/:id/check-in',
      ...oneBooking,
      summary: 'Take a check-in back',
    },
    noShow: {
      method: 'POST',
      path: '/bookings/:id/no-show',
      ...oneBooking,
      summary: 'Note that nobody came, which frees the rest of the time',
    },
    end: {
      method: 'POST',
      path: '/bookings/:id/end',
      ...oneBooking,
      summary: 'End a running booking now, which frees the rest of the time',
    },
    note: {
      method: 'POST',
      path: '/bookings/:id/notes',
      ...oneBooking,
      summary: 'Change the note of a booking, for staff alone',
    },
    arrivals: {
      method: 'GET',
      path: '/arrivals',
      access: [bookings],
      locations: 'narrowed',
      summary: "Today's bookings in order of their start, with who has come",
    },
    checkInByCode: {
      method: 'POST',
      path: '/check-ins',
      access: [bookings],
      locations: 'narrowed',
      summary: "Check in whoever shows this code: the text of a booking's QR code, or the end of its id",
    },
    getPolicy: {
      method: 'GET',
      path: '/booking-policy',
      ...administration,
      summary: 'What cancellations give back, their reasons, and when no-shows are released, by location',
    },
    setPolicy: {
      method: 'PUT',
      path: '/booking-policy',
      ...administration,
      summary: "Set the platform's cancellation policy and the reasons that staff choose from",
    },
    setLocationPolicy: {
      method: 'PUT',
      path: '/booking-policy/locations/:id',
      ...administration,
      summary: 'Set the policy of a location, or none of its own, and when its no-shows are released',
    },
    setNoShowMinutes: {
      method: 'PUT',
      path: '/booking-policy/locations',
      ...administration,
      summary: 'Set after how many minutes no-shows are released, or never, for all locations at once',
    },
  },
  closures: {
    list: {
      method: 'GET',
      path: '/closures',
      access: [pods],
      locations: 'narrowed',
      summary: 'List closures, the latest start first',
    },
    preview: {
      method: 'POST',
      path: '/closures/preview',
      access: [pods, locations],
      locations: 'narrowed',
      ...preview,
      summary: 'The bookings that a closure would hit, with pods that are free for each; changes nothing',
    },
    create: {
      method: 'POST',
      path: '/closures',
      access: [pods, locations],
      locations: 'narrowed',
      summary: 'Close pods or a location; 409 while an affected booking has no decision',
      idempotent: true,
    },
    update: {
      method: 'PUT',
      path: '/closures/:id',
      access: [pods],
      locations: { of: 'closure' },
      summary: 'Change the times or reason of a closure, which keeps its pods',
    },
    delete: {
      method: 'DELETE',
      path: '/closures/:id',
      access: [pods],
      locations: { of: 'closure' },
      summary: 'End a closure now',
    },
    export: {
      method: 'POST',
      path: '/exports/closure-bookings',
      access: [pods, locations],
      locations: 'narrowed',
      viewIsEnough: preview.viewIsEnough,
      idempotent: false,
      summary: 'Closure_Bookings.csv: the bookings that a closure would hit',
      sensitive: true,
    },
  },
  hours: {
    get: {
      method: 'GET',
      path: '/opening-hours',
      access: [pods, locations, bookings, corporateBooking],
      locations: 'narrowed',
      summary: 'Opening hours of a pod (`pod`) or a location (`location`), with their exceptions',
    },
    update: {
      method: 'PUT',
      path: '/opening-hours',
      access: [pods, locations],
      locations: 'narrowed',
      summary: 'Set the opening hours of a pod (page 3) or a location (page 7)',
    },
    holidays: {
      method: 'GET',
      path: '/public-holidays',
      access: [pods, locations],
      locations: 'none',
      summary: 'Public holidays of a country in a year',
    },
  },
  users: {
    list: {
      method: 'GET',
      path: '/user/all-users',
      access: [users, bookings, corporateBooking],
      locations: 'narrowed',
      summary: 'List customers',
    },
    get: {
      method: 'GET',
      path: '/user/get-user/:id',
      access: [users, bookings, corporateBooking],
      locations: 'narrowed',
      summary: 'Get one customer or staff member by id',
    },
    customer: {
      method: 'GET',
      path: '/customers/:id',
      access: [users, bookings],
      locations: { of: 'customer' },
      summary: 'A customer with their note, why they are blocked, and what they have booked and paid',
    },
    update: {
      method: 'PUT',
      path: '/customers/:id',
      access: [users],
      locations: { of: 'customer' },
      summary: 'Replace the name and the contact details of a customer',
    },
    setNote: {
      method: 'PUT',
      path: '/customers/:id/note',
      access: [users],
      locations: { of: 'customer' },
      summary: 'Write the note that staff keep about a customer',
    },
    block: {
      method: 'PUT',
      path: '/user/block-user/:id',
      access: [users],
      locations: 'all',
      summary: 'Block a customer',
    },
    unblock: {
      method: 'PUT',
      path: '/user/unblock-user/:id',
      access: [users],
      locations: 'all',
      summary: 'Unblock a customer',
    },
    delete: { method: 'DELETE', path: '/user/:id', access: [users], locations: 'all', summary: 'Delete a customer' },
    erase: {
      method: 'POST',
      path: '/customers/:id/erase',
      access: [users],
      locations: 'all',
      summary: 'Erase the personal data of a deleted customer for good',
      sensitive: true,
    },
    upcomingBookings: {
      method: 'GET',
      path: '/user/upcoming-bookings/:id',
      access: [users],
      locations: { of: 'customer' },
      summary: 'Number of upcoming bookings of a customer',
    },
    export: {
      method: 'GET',
      path: '/exports/users',
      access: [users],
      locations: 'narrowed',
      summary: 'Users.csv',
      sensitive: true,
    },
    exportBookings: {
      method: 'GET',
      path: '/exports/user-bookings',
      access: [users],
      locations: 'narrowed',
      summary: 'User_Bookings_Report.csv: bookings of customers',
      sensitive: true,
    },
  },
  staff: {
    list: { method: 'GET', path: '/user/all-staff', ...administration, summary: 'List staff' },
    create: {
      method: 'POST',
      path: '/user/register-staff',
      ...administration,
      summary: 'Add a staff member',
      sensitive: true,
      idempotent: true,
    },
    update: {
      method: 'PUT',
      path: '/user/edit-staff/:id',
      ...administration,
      summary: 'Edit a staff member',
      sensitive: true,
      preparesOutside: true,
    },
    block: {
      method: 'PUT',
      path: '/user/block-staff/:id',
      ...administration,
      summary: 'Block a staff member and end their sessions',
      peopleOnly: true,
    },
    unblock: {
      method: 'PUT',
      path: '/user/unblock-staff/:id',
      ...administration,
      summary: 'Unblock a staff member',
      sensitive: true,
    },
    delete: {
      method: 'DELETE',
      path: '/user/delete-staff/:id',
      ...administration,
      summary: 'Delete a staff member',
      peopleOnly: true,
    },
    createPasswordLink: {
      method: 'POST',
      path: '/staff/:id/password-links',
      ...administration,
      summary: 'Make a link by which a colleague chooses a password: mailed, or shown once where no mails are sent',
      sensitive: true,
      showsSecret: true,
    },
    resetSecondFactor: {
      method: 'DELETE',
      path: '/staff/:id/second-factors',
      ...administration,
      summary: 'Remove the second factor of a colleague who has lost theirs, and end their sessions',
      sensitive: true,
    },
    upcomingBookings: {
      method: 'GET',
      path: '/user/staff-upcoming-bookings/:id',
      ...administration,
      summary: 'Number of upcoming bookings that a staff member made',
    },
    export: {
      method: 'GET',
      path: '/exports/staff',
      ...administration,
      summary: 'Staff.csv',
      sensitive: true,
    },
    exportBookings: {
      method: 'GET',
      path: '/exports/staff-bookings',
      ...administration,
      summary: 'User_Bookings_Report.csv: bookings made by staff',
    },
  },
  companies: {
    list: {
      method: 'GET',
      path: '/companies',
      access: [corporateBooking, bookings],
      locations: 'narrowed',
      summary: 'List companies, newest first',
    },
    get: {
      method: 'GET',
      path: '/companies/:id',
      access: [corporateBooking, bookings],
      locations: { of: 'company' },
      summary: 'Get one company',
    },
    create: {
      method: 'POST',
      path: '/companies',
      access: [corporateBooking],
      locations: 'narrowed',
      summary: 'Add a company',
      idempotent: true,
    },
    update: {
      method: 'PUT',
      path: '/companies/:id',
      access: [corporateBooking],
      locations: { of: 'company' },
      summary: 'Edit a company',
    },
    delete: {
      method: 'DELETE',
      path: '/companies/:id',
      access: [corporateBooking],
      locations: 'all',
      summary: 'Delete a company',
    },
    upcomingBookings: {
      method: 'GET',
      path: '/companies/:id/upcoming-bookings',
      access: [corporateBooking],
      locations: { of: 'company' },
      summary: 'Bookings of a company that are still to come: how many, and the next ten that one may see',
    },
    export: {
      method: 'GET',
      path: '/exports/companies',
      access: [corporateBooking],
      locations: 'narrowed',
      summary: 'Companies.csv',
      sensitive: true,
    },
  },
  series: {
    preview: {
      method: 'POST',
      path: '/series/preview',
      access: [corporateBooking],
      locations: 'narrowed',
      ...preview,
      summary: 'The dates of a series, what is in the way of each, and what is free instead',
    },
    create: {
      method: 'POST',
      path: '/series',
      access: [corporateBooking],
      locations: 'narrowed',
      summary: 'Book a series, all of it or nothing',
      idempotent: true,
      peopleOnly: true,
    },
    get: {
      method: 'GET',
      path: '/series/:id',
      access: [corporateBooking, bookings],
      locations: { of: 'series' },
      summary: 'A series with its bookings',
    },
    previewUpdate: {
      method: 'POST',
      path: '/series/:id/preview',
      access: [corporateBooking, bookings],
      locations: { of: 'series' },
      ...preview,
      summary: 'What is in the way of such a change at each date, what is free instead, and what it costs',
    },
    update: {
      method: 'PUT',
      path: '/series/:id',
      access: [corporateBooking, bookings],
      locations: { of: 'series' },
      summary: 'Move one booking of a series, it and those after it, or all to another time of day or pod',
    },
    cancel: {
      method: 'DELETE',
      path: '/series/:id',
      access: [corporateBooking, bookings],
      locations: { of: 'series' },
      summary: 'Cancel one booking of a series, it and those after it, or all that are still to come',
    },
  },
  transactions: {
    list: {
      method: 'GET',
      path: '/transactions/getalltransactions',
      access: [transactions],
      locations: 'narrowed',
      summary: 'List transactions, newest first',
    },
    facilitators: {
      method: 'GET',
      path: '/transactions/facilitators',
      access: [transactions],
      locations: 'narrowed',
      summary: 'List the payment facilitators that transactions have',
    },
    export: {
      method: 'GET',
      path: '/exports/transactions',
      access: [transactions],
      locations: 'narrowed',
      summary: 'Transactions_Report.csv',
    },
  },
  pricing: {
    getRate: {
      method: 'GET',
      path: '/transactions/getrate',
      access: [transactions],
      locations: 'none',
      summary: 'The base rate, ZAR a minute',
    },
    getDiscount: {
      method: 'GET',
      path: '/transactions/getdiscount',
      access: [transactions, corporateBooking],
      locations: 'none',
      summary: 'The discount, minutes',
    },
    setRate: {
      method: 'POST',
      path: '/transactions/ManageRates',
      access: [transactions],
      locations: 'all',
      summary: 'Set the base rate',
    },
    setDiscount: {
      method: 'POST',
      path: '/transactions/ManageDiscount',
      access: [transactions],
      locations: 'all',
      summary: 'Set the discount',
    },
  },
  rolePresets: {
    list: {
      method: 'GET',
      path: '/role-presets',
      ...administration,
      summary: 'List the presets of roles: pages, levels and locations that a form can start from',
      peopleOnly: true,
    },
    create: {
      method: 'POST',
      path: '/role-presets',
      ...administration,
      summary: 'Add a preset of a role',
      idempotent: true,
      peopleOnly: true,
    },
    update: {
      method: 'PUT',
      path: '/role-presets/:id',
      ...administration,
      summary: 'Edit a preset of a role, which changes nobody who was given it',
      peopleOnly: true,
    },
    delete: {
      method: 'DELETE',
      path: '/role-presets/:id',
      ...administration,
      summary: 'Delete a preset of a role, which changes nobody who was given it',
      peopleOnly: true,
    },
  },
  viewAs: {
    get: {
      method: 'GET',
      path: '/view-as',
      access: 'session',
      locations: 'none',
      inView: 'own',
      summary: 'Which colleague’s portal you see in place of your own, and until when',
      peopleOnly: true,
    },
    start: {
      method: 'POST',
      path: '/staff/:id/view-as',
      ...administration,
      summary: 'See the portal as a colleague sees it, for 30 minutes at most; every change is refused meanwhile',
      idempotent: false,
      peopleOnly: true,
    },
    stop: {
      method: 'DELETE',
      path: '/view-as',
      ...ownAccount,
      inView: 'own',
      summary: 'See your own portal again',
      idempotent: false,
      peopleOnly: true,
    },
  },
  audit: {
    history: {
      method: 'GET',
      path: '/history',
      access: 'session',
      locations: 'narrowed',
      summary:
        'Changes of one record, newest first, for staff who hold its page; of a booking, also for whoever made it',
    },
    list: {
      method: 'GET',
      path: '/activity/changes',
      ...administration,
      summary: 'All changes, newest first',
    },
    export: {
      method: 'GET',
      path: '/exports/activity',
      ...administration,
      summary: 'Activity.csv',
      sensitive: true,
    },
    import: {
      method: 'POST',
      path: '/activity/import',
      ...administration,
      summary: 'Read archived changes back (multipart, part `file`, as npm run audit:archive wrote it)',
      idempotent: false,
      peopleOnly: true,
    },
    undo: {
      method: 'POST',
      path: '/activity/:id/undo',
      access: 'session',
      locations: { of: 'change' },
      edits: true,
      summary: 'Take a change back, for staff who hold its page and as long as the record has not changed since',
    },
    restore: {
      method: 'POST',
      path: '/deleted/:id/restore',
      access: 'session',
      locations: { of: 'deleted' },
      edits: true,
      summary: 'Restore a deleted record, for staff who hold its page',
    },
  },
  mails: {
    list: {
      method: 'GET',
      path: '/mails',
      ...administration,
      summary: 'List outgoing mails, newest first',
    },
    get: { method: 'GET', path: '/mails/:id', ...administration, summary: 'Read one outgoing mail' },
    retry: {
      method: 'POST',
      path: '/mails/:id/retry',
      ...administration,
      summary: 'Send a mail that was not sent',
    },
  },
  messages: {
    kinds: {
      method: 'GET',
      path: '/message-kinds',
      access: [pods, locations, bookings, staff, corporateBooking],
      locations: 'none',
      summary: 'Which messages customers get about their bookings, and whether mails can be sent from here',
    },
    templates: {
      method: 'GET',
      path: '/message-templates',
      ...administration,
      summary: 'What customers are written about their bookings, and when they are reminded, by location',
    },
    setTemplate: {
      method: 'PUT',
      path: '/message-templates/:id',
      ...administration,
      summary: 'Switch a message to customers on or off, or change its texts; null is the text of the product',
    },
    preview: {
      method: 'POST',
      path: '/message-templates/:id/preview',
      ...administration,
      ...preview,
      summary: 'A message as a customer would get it with these texts, of the newest booking or of an example',
    },
    setReminder: {
      method: 'PUT',
      path: '/message-templates/locations/:id',
      ...administration,
      summary: 'Set how many hours before the start the customers of a location are reminded, or never',
    },
    setReminders: {
      method: 'PUT',
      path: '/message-templates/locations',
      ...administration,
      summary: 'Set how many hours before the start the customers of all locations are reminded, or never',
    },
    sendAgain: {
      method: 'POST',
      path: '/bookings/:id/send-again',
      ...oneBooking,
      summary: 'Send the confirmation of a booking again, with its code and calendar file',
    },
  },
  webhooks: {
    list: { method: 'GET', path: '/webhooks', ...administration, summary: 'List webhooks' },
    create: {
      method: 'POST',
      path: '/webhooks',
      ...administration,
      summary: 'Add a webhook',
      idempotent: true,
      sensitive: true,
      showsSecret: true,
    },
    update: {
      method: 'PUT',
      path: '/webhooks/:id',
      ...administration,
      summary: 'Change a webhook, or switch it off',
      sensitive: true,
    },
    delete: { method: 'DELETE', path: '/webhooks/:id', ...administration, summary: 'Delete a webhook' },
  },
  apiKeys: {
    list: {
      method: 'GET',
      path: '/api-keys',
      ...administration,
      summary: 'List the keys of other systems, newest first, without the keys themselves',
      peopleOnly: true,
    },
    create: {
      method: 'POST',
      path: '/api-keys',
      ...administration,
      summary: 'Make a key for another system: it is shown in this response alone',
      idempotent: true,
      sensitive: true,
      showsSecret: true,
    },
    update: {
      method: 'PUT',
      path: '/api-keys/:id',
      ...administration,
      summary: 'Change the name, pages or last day of a key',
      sensitive: true,
    },
    revoke: {
      method: 'DELETE',
      path: '/api-keys/:id',
      ...administration,
      summary: 'Revoke a key, which then counts no more',
      peopleOnly: true,
    },
  },
  deliveries: {
    list: {
      method: 'GET',
      path: '/webhook-deliveries',
      ...administration,
      summary: 'List deliveries, newest first',
    },
    replay: {
      method: 'POST',
      path: '/webhook-deliveries/:id/replay',
      ...administration,
      summary: 'Send a delivery again',
    },
  },
  failedJobs: {
    list: {
      method: 'GET',
      path: '/failed-jobs',
      ...administration,
      summary: 'List work that was given up, newest first',
    },
    retry: {
      method: 'POST',
      path: '/failed-jobs/:id/retry',
      ...administration,
      summary: 'Try work that was given up again',
    },
    retrySeveral: {
      method: 'POST',
      path: '/failed-jobs/retry',
      ...administration,
      summary: 'Try several pieces of work that were given up again',
    },
    dismiss: {
      method: 'POST',
      path: '/failed-jobs/dismiss',
      ...administration,
      summary: 'Take work that was given up off the list, without trying it again',
    },
  },
  backups: {
    get: {
      method: 'GET',
      path: '/backups',
      ...administration,
      summary: 'When the last backup was made, and when the next is due',
    },
  },
  search: {
    find: {
      method: 'GET',
      path: '/search',
      access: 'session',
      locations: 'narrowed',
      summary: 'Search all records that the person may see',
    },
  },
  live: {
    stream: {
      method: 'GET',
      path: '/live',
      access: 'session',
      locations: 'narrowed',
      summary: 'Learn of changes as they happen (server-sent events): which records of those that the person may see',
      peopleOnly: true,
    },
    edit: {
      method: 'PUT',
      path: '/live/editing',
      access: 'session',
      locations: 'narrowed',
      viewIsEnough: 'Says who has a record open, and changes nothing',
      summary: 'Say which record one has open in a form, at least every 45 seconds, and learn who else has',
      idempotent: false,
      peopleOnly: true,
    },
  },
} as const satisfies Record<string, Record<string, Route>>
