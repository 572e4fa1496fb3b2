/** The choices of a filter by seats: '' is any number. */
export const seatOptions = [
  { value: '', label: 'Any seats' },
  ...[2, 4, 6, 8, 10, 12, 20].map((seats) => ({ value: String(seats), label: `${seats} seats or more` })),
]
