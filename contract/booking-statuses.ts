export const bookingStatuses = ['Pending', 'Confirmed', 'Processing', 'Completed', 'Rated', 'Cancelled'] as const
export type BookingStatus = (typeof bookingStatuses)[number]
