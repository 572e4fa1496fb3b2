import { bookingBalances, bookingMoments, bookingStatuses } from '#contract/booking-statuses.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, dayParam, pageParam, textParam } from '#web/lib/url-state.ts'

export const bookingList = defineList(
  'bookings',
  {
    page: pageParam(),
    search: textParam(),
    status: choiceParam(bookingStatuses),
    location: textParam(),
    pod: textParam(),
    user: textParam(),
    company: textParam(),
    from: dayParam(),
    to: dayParam(),
    when: choiceParam(bookingMoments),
    balance: choiceParam(bookingBalances),
    sort: choiceParamOr(['-createdAt', 'createdAt', 'startTime', '-startTime'], '-createdAt'),
  },
  { nouns: ['booking', 'bookings'], entity: 'booking', pageSize: 10, isTimed: ({ when }) => when !== undefined },
)
