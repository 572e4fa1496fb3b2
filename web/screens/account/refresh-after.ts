import { queryClient } from '#web/api/query-client.ts'

/** Refetches the passkeys, the second factor, and the sessions, which a change of one of the others may have ended. */
const refresh = () =>
  Promise.all(
    ['passkeys', 'secondFactors', 'account'].map((domain) => queryClient.invalidateQueries({ queryKey: [domain] })),
  )

/** Refetches them after a change, also one that failed: if only its response was lost, it was done. */
export async function refreshAfter<Result>(change: Promise<Result>): Promise<Result> {
  try {
    const result = await change
    await refresh()
    return result
  } catch (error) {
    void refresh()
    throw error
  }
}
