import type { Feature, featureEndpoints } from '#contract/features.ts'
import type { Handler } from '#server/http/handler.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { toStatusWord } from '../exports/csv-words.ts'
import { listFeatureBatches } from './features.repository.ts'

// spec §2, Features
const columns: CsvColumns<Feature> = {
  Id: (feature) => feature._id,
  'Full Name': (feature) => feature.name,
  Status: (feature) => toStatusWord(feature.isBlocked),
}

export const exportFeatures: Handler<typeof featureEndpoints.export> = async ({ context, query }) =>
  csvDownload('Features.csv', columns, listFeatureBatches(context.db, query))
