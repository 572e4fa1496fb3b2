import { sql } from 'kysely'
import type { z } from 'zod'
import type { PodListQuery, podEndpoints } from '#contract/pods.ts'
import type { Db } from '#server/db/client.ts'
import { byText, toBatches, toLikePattern, toListOrder } from '#server/db/ordered-list.ts'
import type { Handler } from '#server/http/handler.ts'
import { isId } from '#server/ids.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { toStatusWord } from '../exports/csv-words.ts'

type PodRow = {
  id: string
  title: string
  location_name: string
  city: string
  state: string
  rate: string
  is_blocked: boolean
}

// As the table of the screen (spec §2, Pods), without its pictures
const columns: CsvColumns<PodRow> = {
  'Pod Id': (pod) => pod.id,
  Title: (pod) => pod.title,
  Location: (pod) => pod.location_name,
  City: (pod) => pod.city,
  State: (pod) => pod.state,
  'Rate per Minute': (pod) => Number(pod.rate),
  Status: (pod) => toStatusWord(pod.is_blocked),
}

export const exportPods: Handler<typeof podEndpoints.export> = async ({ context, query }) =>
  csvDownload('Pods.csv', columns, listPodBatches(context.db, query))

const id = sql.ref('pods.id')
const orders = {
  title: { by: byText(sql.ref('pods.title')), type: 'text', id },
  createdAt: { by: sql.ref('pods.created_at'), type: 'timestamptz', id },
  rate: { by: sql.ref('pods.rate'), type: 'numeric', id },
} as const

function listPodBatches(db: Db, query: z.output<typeof PodListQuery>): AsyncGenerator<PodRow[]> {
  const { search, status, location } = query
  const pattern = toLikePattern(search ?? '')
  const rows = db
    .selectFrom('pods')
    .innerJoin('locations', 'locations.id', 'pods.location_id')
    .select(['pods.id', 'pods.title', 'locations.name as location_name', 'city', 'state', 'rate', 'pods.is_blocked'])
    .where('pods.deleted_at', 'is', null)
    .$if(Boolean(search), (rows) =>
      rows.where((eb) =>
        eb.or([
          eb('pods.title', 'ilike', pattern),
          eb('locations.name', 'ilike', pattern),
          eb('locations.city', 'ilike', pattern),
        ]),
      ),
    )
    .$if(status !== undefined, (rows) => rows.where('pods.is_blocked', '=', status === 'blocked'))
    // A malformed id filters everything out, like an unknown one (decisions §5).
    .$if(location !== undefined, (rows) =>
      rows.where((eb) => (isId(location ?? '') ? eb('pods.location_id', '=', location ?? '') : eb.lit(false))),
    )
  return toBatches(rows, toListOrder(orders, query.sort, '-createdAt'))
}
