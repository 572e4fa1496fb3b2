import type { FreeInstead } from './booking-actions.ts'
import type { RequestOptions } from './passkeys.ts'

/**
 * Every error of the API: its code, status and default message, which tells people what to do. On the wire an error is
 * `{ message, code, errors?: [{ path, message }], requestId }` (rules §16.2).
 */
export const errors = {
  invalid_input: { status: 400, message: 'Please check the fields and try again.' },
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  invalid_credentials: { status: 401, message: 'Wrong email address or password.' },
  wrong_code: {
    status: 401,
    message:
      'This code is wrong, or was used already. Check it, or try the next one. If all codes of your app are refused, check that the clock of your phone is right.',
  },
  wrong_passkey: {
    status: 401,
    message: 'This passkey does not sign you in here. Try another one, or log in with your password.',
  },
  not_signed_in: { status: 401, message: 'Please sign in.' },
  account_blocked: { status: 403, message: 'This account is blocked. Ask a colleague with access to Assign Role.' },
  page_required: { status: 403, message: 'You cannot access this page.' },
  second_factor_required: {
    status: 403,
    message: 'Enter the code from your authenticator app too: send it with `challenge` to POST /api/sessions.',
  },
  people_only: { status: 403, message: 'An API key cannot do this: it needs a person who is signed in.' },
  new_password_required: {
    status: 403,
    message:
      'The password of this account was generated. Log in to the portal in a browser and choose your own; until then nothing else can be done.',
  },
  second_factor_setup_required: {
    status: 403,
    message:
      'A second factor is required here. Log in to the portal in a browser and set one up; until then nothing else can be done.',
  },
  view_only: { status: 403, message: 'You can view this page, but not change it.' },
  viewing_as: {
    status: 403,
    message: 'This cannot be done while you see what a colleague sees. Stop that first.',
  },
  all_locations_required: {
    status: 403,
    message: 'This concerns all locations, or some that you do not have. Ask a colleague who has all locations.',
  },
  confirmation_required: { status: 403, message: 'Enter your password again to do this.' },
  not_found: { status: 404, message: 'Not found.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Try again.' },
  conflict: { status: 409, message: 'This conflicts with something that already exists.' },
  email_taken: { status: 409, message: 'This email address is already in use.' },
  location_has_pods: { status: 409, message: 'This location still has pods. Move or delete them first.' },
  record_changed: {
    status: 409,
    message: 'Somebody else has changed this meanwhile. Look at it as it is now, and try again.',
  },
  cannot_undo: { status: 409, message: 'This has changed since and can no longer be undone.' },
  customer_not_deleted: { status: 409, message: 'Delete the customer first. Until then the data are needed.' },
  customer_has_bookings: {
    status: 409,
    message: 'This customer has bookings to come. Cancel them, or wait until they are over.',
  },
  customer_erased: { status: 409, message: 'The personal data of this customer have been erased for good.' },
  version_required: { status: 400, message: 'Send the version that you have read as If-Match.' },
  order_outdated: { status: 409, message: 'The list of features has changed meanwhile. Reload it and try again.' },
  own_account: { status: 409, message: 'You cannot do this to your own account.' },
  last_staff_manager: { status: 409, message: 'At least one active staff member must keep access to Assign Role.' },
  colleague_has_more: { status: 403, message: 'This colleague has access to pages that you do not have.' },
  page_not_held: { status: 403, message: 'You can only grant pages that you hold yourself.' },
  slot_taken: { status: 409, message: 'Booking with the same date and time already exists' },
  pod_blocked: { status: 409, message: 'This pod is blocked and cannot be booked. Choose another pod.' },
  location_blocked: { status: 409, message: 'The location of this pod is blocked. Choose a pod elsewhere.' },
  outside_hours: { status: 409, message: 'The pod is not open then.' },
  pod_closed: { status: 409, message: 'The pod is closed then.' },
  closure_undecided: {
    status: 409,
    message: 'Decide what happens to each booking that this closure affects.',
  },
  closure_too_large: {
    status: 409,
    message: 'More than 5,000 bookings fall into this closure. Close fewer pods at once, or for a shorter time.',
  },
  closure_over: { status: 409, message: 'This closure is over.' },
  price_changed: {
    status: 409,
    message: 'The price has changed since it was shown. Look at the new one and try again.',
  },
  refund_changed: {
    status: 409,
    message: 'What is given back has changed since it was shown. Look at the new amount and try again.',
  },
  buffer_taken: { status: 409, message: 'The pod is being cleaned between two bookings then.' },
  slot_order: { status: 400, message: 'Please choose a valid time.' },
  slot_grid: { status: 400, message: 'Bookings start and end on a quarter of an hour.' },
  slot_hours: { status: 400, message: 'Bookings must be between 06:00 and 24:00 of one day.' },
  slot_too_long: { status: 400, message: 'Maximum booking time is 3 hours' },
  slot_passed: { status: 400, message: 'That time has already passed. Choose a later time.' },
  slot_date: { status: 400, message: 'The start time is not on the booking date.' },
  series_conflict: { status: 409, message: 'Some of these dates are not free. Choose what to do with each of them.' },
  already_blocked: { status: 409, message: 'This customer is blocked already. Your reason was not saved.' },
  customer_blocked: { status: 409, message: 'This customer is blocked and cannot be booked for.' },
  booking_of_another: {
    status: 403,
    message: 'You can see, change and cancel the bookings that you made yourself. Ask someone with access to Booking.',
  },
  booking_state: { status: 409, message: 'This cannot be done with the booking as it is now.' },
  already_checked_in: { status: 409, message: 'This customer has been checked in already.' },
  booking_ended: { status: 409, message: 'This booking has already ended and cannot be cancelled.' },
  booking_cancelled: { status: 409, message: 'This booking has already been cancelled.' },
  mail_not_set_up: {
    status: 409,
    message: 'Mails cannot be sent from here yet. Ask whoever runs the server to set SMTP_URL.',
  },
  link_over: {
    status: 410,
    message: 'This link has been used, or its hour is over. Ask for a new one.',
  },
  challenge_over: { status: 410, message: 'That took too long, or was done already. Enter your password again.' },
  payload_too_large: { status: 413, message: 'This is too large. Send less at once.' },
  unsupported_type: {
    status: 415,
    message: 'This kind of content is not supported. Send JSON as application/json, and files as multipart/form-data.',
  },
  expectation_failed: { status: 417, message: 'This server supports no expectation except 100-continue.' },
  idempotency_mismatch: {
    status: 422,
    message: 'This Idempotency-Key was sent before with another request. Send this one with a new key.',
  },
  too_many_requests: { status: 429, message: 'Too many attempts. Wait a moment and try again.' },
  headers_too_large: { status: 431, message: 'The headers of the request are too large.' },
  unavailable: { status: 503, message: 'The database cannot be reached at the moment. Try again in a moment.' },
  overloaded: { status: 503, message: 'The server is busy. Try again in a moment.' },
  internal: {
    status: 500,
    message: 'Something went wrong on our side. Try again. If it keeps happening, give support the request id.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

export type FieldError = { path: string; message: string }

export type ErrorBody = {
  message: string
  code: ErrorCode
  errors?: FieldError[]
  requestId?: string
  /** With record_changed: the current record. */
  current?: unknown
  /**
   * With second_factor_required: the challenge to send with the code within five minutes. It is not a session token.
   */
  challenge?: string
  /** With second_factor_required, when the person has passkeys; `isOnlyOne` when they have no authenticator app. */
  passkey?: { options: RequestOptions; isOnlyOne: boolean }
  /** Everything that prevents a booking, and the free alternatives (rules §26.1). */
  reasons?: Obstacle[]
  free?: FreeInstead
}

/** One thing that prevents a booking; names the booking or closure for those who may see it. */
export type Obstacle = {
  code: ErrorCode
  message: string
  booking?: { _id: string; username: string; company?: string; startTime: string; endTime: string }
  closure?: { _id: string; reason: string; starts: string; ends: string | null }
}

/** Returns the message for an empty required field, the same in every form and response. */
export function toRequiredMessage(label: string): string {
  return `${label} is required`
}
