import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Feature } from '#contract/features.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import type { RequestOptions } from '#web/api/request-types.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { showChanged } from '#web/components/undo.ts'

const PAGE_SIZE = 100

type Filters = NonNullable<RequestOptions<'features', 'list'>['query']>

/** All features in their order. They are few, and are sorted by hand as one list. */
export const featureListQuery = queryOptions({
  queryKey: ['features', 'in-order'],
  queryFn: async ({ signal }) => (await listFeatures(signal, {})).features,
})

/** The features that a search and a status find, as the server finds them for the file too. */
export const foundFeaturesQuery = (filters: Pick<Filters, 'search' | 'status'>) =>
  queryOptions({
    queryKey: ['features', 'found', filters],
    queryFn: ({ signal }) => listFeatures(signal, filters),
  })

async function listFeatures(signal: AbortSignal, filters: Filters) {
  const list = (page: number) =>
    api('features', 'list', { query: { ...filters, sort: 'order', page, limit: PAGE_SIZE }, signal })
  const first = await list(1)
  const morePages = Array.from({ length: Math.ceil((first.total ?? 0) / PAGE_SIZE) - 1 }, (_, index) => index + 2)
  const more = await Promise.all(morePages.map((page) => list(page)))
  const features = [first, ...more].flatMap(({ data }) => data)
  // A feature appears twice if someone moved it between two list pages while they were read.
  return {
    features: [...new Map(features.map((feature) => [feature._id, feature])).values()],
    similarTo: first.similarTo,
  }
}

/** Saves a new order. Shows it at once, and reverts it when the server refuses. Sends one order after the other. */
export function useFeatureReorder() {
  const queryClient = useQueryClient()
  const { queryKey } = featureListQuery
  const reorder = useMutation({
    mutationKey: ['features', 'reorder'],
    scope: { id: 'features-reorder' },
    // Renumbered from 0 by position (rules §7.2).
    mutationFn: (features: readonly Feature[]) =>
      api('features', 'reorder', { body: features.map(({ _id }, order) => ({ id: _id, order })) }),
    onMutate: async (features) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, [...features])
      return before
    },
    onSuccess: (response) => {
      if (response.undo) showChanged('The new order is saved', response)
    },
    onError: (error, features, before) => {
      queryClient.setQueryData(queryKey, before)
      // The new list is already being fetched.
      const isOutdated = error instanceof ApiError && error.code === 'order_outdated'
      const reason = isOutdated ? 'The list has changed meanwhile; look at it and try again.' : error.message
      showFailedAction(error, () => reorder.mutate(features), { text: `The new order was not saved. ${reason}` })
    },
    onSettled: () => {
      const isLast = queryClient.isMutating({ mutationKey: ['features', 'reorder'] }) === 1
      return isLast ? queryClient.invalidateQueries({ queryKey: ['features'] }) : undefined
    },
  })
  return reorder.mutate
}
