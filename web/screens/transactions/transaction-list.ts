import { transactionStatuses } from '#contract/transaction-statuses.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, dayParam, pageParam, textParam, type UrlParam } from '#web/lib/url-state.ts'

export const PAGE_SIZES = ['6', '25', '50'] as const

/** An amount in ZAR; anything else in the URL is read as ''. */
const amountParam: UrlParam<string> = {
  parse: (text = '') => (/^\d{1,10}(\.\d{1,2})?$/.test(text) ? text : ''),
  format: (text) => text || undefined,
}

export const transactionList = defineList(
  'transactions',
  {
    page: pageParam(),
    search: textParam(),
    status: choiceParam(transactionStatuses),
    facilitator: textParam(),
    location: textParam(),
    company: textParam(),
    min: amountParam,
    max: amountParam,
    from: dayParam(),
    to: dayParam(),
    sort: choiceParamOr(['-createdAt', 'createdAt', 'amount', '-amount'], '-createdAt'),
    size: choiceParamOr(PAGE_SIZES, '6'),
  },
  {
    nouns: ['transaction', 'transactions'],
    entity: 'transaction',
    pageSize: ({ size }) => Number(size),
    toFilters: ({ search, status, facilitator, location, company, from, to, sort, min, max }) => ({
      search,
      status,
      facilitator,
      location,
      company,
      from,
      to,
      sort,
      minAmount: min === '' ? undefined : Number(min),
      maxAmount: max === '' ? undefined : Number(max),
    }),
  },
)
