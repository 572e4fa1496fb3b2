import { defineList } from '#web/components/record-list/define-list.ts'
import { seatOptions } from '#web/components/seat-options.ts'
import { choiceParam, choiceParamOr, pageParam, textParam, type UrlParam } from '#web/lib/url-state.ts'

export const sortOptions = [
  { value: '-createdAt', label: 'Newest first' },
  { value: 'createdAt', label: 'Oldest first' },
  { value: 'title', label: 'Title A to Z' },
  { value: '-title', label: 'Title Z to A' },
  { value: 'rate', label: 'Lowest rate first' },
  { value: '-rate', label: 'Highest rate first' },
] as const

export const closedOptions = [
  { value: '', label: 'Open or closed' },
  { value: 'now', label: 'Closed now' },
]

/** One of the offered numbers of seats. */
const seatsParam: UrlParam<number | undefined> = {
  parse: (text) => Number(seatOptions.find(({ value }) => value === text)?.value) || undefined,
  format: (seats) => seats?.toString(),
}

export const podList = defineList(
  'pods',
  {
    page: pageParam(),
    search: textParam(),
    status: choiceParam(['active', 'blocked', 'deleted']),
    closed: choiceParam(['now']),
    location: textParam(),
    minCapacity: seatsParam,
    sort: choiceParamOr(
      sortOptions.map(({ value }) => value),
      '-createdAt',
    ),
  },
  // Closures begin and end.
  { nouns: ['pod', 'pods'], entity: 'pod', pageSize: 10, isTimed: () => true },
)
