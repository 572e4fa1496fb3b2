import { useQuery } from '@tanstack/react-query'
import type { Feature } from '#contract/features.ts'
import { api } from '#web/api/client.ts'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { Uncounted } from '#web/components/record-list/upcoming-bookings.tsx'
import { toCounted } from '#web/lib/format.ts'

type DeleteFeatureProps = { feature: Feature; onDeleted: () => Promise<void>; onClose: () => void }

/** Asks before deleting a feature, and says how many pods lose it (rules §7.3). */
export function DeleteFeature({ feature, onDeleted, onClose }: DeleteFeatureProps) {
  // Counted each time, because pods change on another screen.
  const usage = useQuery({
    // Not under the key ['features'], which is refetched after the deletion, when there is nothing left to count.
    queryKey: ['feature-usage', feature._id],
    queryFn: ({ signal }) => api('features', 'usage', { params: { id: feature._id }, signal }),
  })
  const pods = usage.isFetching ? undefined : usage.data?.data.pods

  return (
    <DeleteDialog
      domain="features"
      id={feature._id}
      title="Delete feature"
      consequence={
        usage.isError && !usage.isFetching ? (
          <Uncounted query={usage}>How many pods lose it could not be counted.</Uncounted>
        ) : (
          toConsequence(pods)
        )
      }
      // Not awaited: the list shows skeletons while it reloads, so the dialog can close.
      reload={() => void onDeleted()}
      onClose={onClose}
    >
      Are you sure you want to delete “{feature.name}”?
    </DeleteDialog>
  )
}

function toConsequence(pods: number | undefined): string {
  if (pods === undefined) return 'Counting the pods that have it…'
  if (pods === 0) return 'No pod has it.'
  return `${toCounted(pods, 'pod loses', 'pods lose')} it.`
}
