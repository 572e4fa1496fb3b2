export const bookingStatuses = ['Pending', 'Confirmed', 'Processing', 'Completed', 'Rated', 'Cancelled'] as const
export type BookingStatus = (typeof bookingStatuses)[number]

/** How a customer was checked in: by staff, by the booking's code, or by the door that it opened. */
export type CheckInMethod = 'staff' | 'code' | 'door'
