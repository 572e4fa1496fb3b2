import { PAGE, type PageCode } from '#contract/pages.ts'

type DemoStaff = {
  firstname: string
  lastname: string
  role: string
  pages: readonly PageCode[]
  isBlocked?: true
}

/** Colleagues for the demo, each with the pages of their work. The first administrator is not among them. */
export const demoStaff: readonly DemoStaff[] = [
  {
    firstname: 'Nontando',
    lastname: 'Radebe',
    role: 'Operations manager',
    pages: [PAGE.dashboard, PAGE.features, PAGE.pods, PAGE.users, PAGE.bookings, PAGE.locations, PAGE.corporateBooking],
  },
  {
    firstname: 'Francois',
    lastname: 'Malherbe',
    role: 'Finance',
    pages: [PAGE.dashboard, PAGE.transactions, PAGE.bookings],
  },
  {
    firstname: 'Kavitha',
    lastname: 'Moodley',
    role: 'Corporate accounts',
    pages: [PAGE.dashboard, PAGE.bookings, PAGE.corporateBooking],
  },
  {
    firstname: 'Tebogo',
    lastname: 'Mahlangu',
    role: 'Facilities',
    pages: [PAGE.features, PAGE.pods, PAGE.locations],
  },
  {
    firstname: 'Lauren',
    lastname: 'Isaacs',
    role: 'Night desk',
    pages: [PAGE.bookings, PAGE.corporateBooking],
    isBlocked: true,
  },
]
