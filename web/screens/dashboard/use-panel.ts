import { useQuery } from '@tanstack/react-query'
import { panelEntities } from '#contract/audit-entities.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { showsOnly } from '#web/api/live.ts'
import { apiQuery } from '#web/api/query.ts'

type PanelName = keyof Dashboard['data']

/** Fetches one list of the dashboard and its total, in its own request, so that panels load and fail independently. */
export function usePanel<Name extends PanelName>(userId: string, panel: Name) {
  const query = useQuery({
    ...apiQuery('dashboard', 'get', { params: { userId }, query: { panel } }),
    meta: showsOnly(panelEntities[panel]),
  })
  return {
    rows: query.data?.data.data[panel],
    total: query.data?.data.totals[panel],
    error: query.error,
    retry: () => void query.refetch(),
    busy: query.isFetching,
  }
}

export type PanelState = Omit<ReturnType<typeof usePanel>, 'rows'>
