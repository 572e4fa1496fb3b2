export const bookingStatuses = ['Pending', 'Confirmed', 'Processing', 'Completed', 'Rated', 'Cancelled'] as const
export type BookingStatus = (typeof bookingStatuses)[number]

/** Of bookings that are neither over nor cancelled. */
export const openStatuses: readonly BookingStatus[] = ['Pending', 'Confirmed', 'Processing']
export const isOpen = ({ status }: { status: BookingStatus }): boolean => openStatuses.includes(status)

/** How a customer was checked in: by staff, by the booking's code, or by the door that they opened. */
export type CheckInMethod = 'staff' | 'code' | 'door'

/**
 * A booking's state by the pods' wall clock: `upcoming` has not ended; `running` has also begun; `late` is running
 * without a check-in; `arriving` begins within the hour and is not checked in yet; for a `no-show` nobody came, on
 * whatever day.
 */
export const bookingMoments = ['upcoming', 'past', 'running', 'late', 'arriving', 'no-show'] as const
export type BookingMoment = (typeof bookingMoments)[number]

/**
 * The bookings of a day, in the order in which staff look for them: begun without a check-in, to come, checked in with the
 * end within minutes, checked in, and over.
 */
export const arrivalGroups = ['late', 'expected', 'leaving', 'in', 'over'] as const
export type ArrivalGroup = (typeof arrivalGroups)[number]

/** What is open of a booking's price: `due` from the customer, or to be given back as a `refund`. */
export const bookingBalances = ['due', 'refund'] as const
export type BookingBalance = (typeof bookingBalances)[number]
