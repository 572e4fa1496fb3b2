import type { z } from 'zod'
import type { PodListQuery, podEndpoints } from '#contract/pods.ts'
import type { Db } from '#server/db/client.ts'
import { toBatches, toListOrder } from '#server/db/ordered-list.ts'
import type { Handler } from '#server/http/handler.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { toStatusWord } from '../exports/csv-words.ts'
import { filterPods } from './pods.filter.ts'
import { podOrders } from './pods.repository.ts'

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
  csvDownload('Pods.csv', columns, listPodRows(context.db, query))

/** Fewer columns than the list has: neither pictures nor features are read for a line of this file. */
function listPodRows(db: Db, query: z.output<typeof PodListQuery>): AsyncGenerator<PodRow[]> {
  const rows = db
    .selectFrom('pods')
    .innerJoin('locations', 'locations.id', 'pods.location_id')
    .select(['pods.id', 'pods.title', 'locations.name as location_name', 'city', 'state', 'rate', 'pods.is_blocked'])
  return toBatches(filterPods(rows, query), toListOrder(podOrders, query.sort, '-createdAt'))
}
