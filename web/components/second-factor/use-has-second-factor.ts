import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#web/api/query.ts'

// Beside another window this tab stays visible, so that nothing else would make it ask again.
const ASK_EVERY_MS = 5000

/**
 * Returns whether the signed-in person has the second factor that was required of them, or it is no longer required:
 * set up in another tab or window, for example (rules §33.10). False until the server has said so.
 */
export function useHasSecondFactor({ enabled = true } = {}): boolean {
  const query = useQuery({ ...apiQuery('secondFactors', 'get'), enabled, refetchInterval: ASK_EVERY_MS })
  const factor = query.isFetchedAfterMount ? query.data?.data : undefined
  return factor !== undefined && (factor.isSetUp || factor.passkeys > 0 || !factor.isRequired)
}
