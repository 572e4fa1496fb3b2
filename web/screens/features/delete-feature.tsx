import { useQuery } from '@tanstack/react-query'
import type { Feature } from '#contract/features.ts'
import { api } from '#web/api/client.ts'
import { toCounted } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

type DeleteFeatureProps = { feature: Feature; onDeleted: () => Promise<void>; onClose: () => void }

/** Says first how many pods lose the feature (rules §7.3). */
export function DeleteFeature({ feature, onDeleted, onClose }: DeleteFeatureProps) {
  // Counted each time: pods change on another screen.
  const usage = useQuery({
    // Not among the features' queries, which are asked again after the deletion, when there is nothing to count.
    queryKey: ['feature-usage', feature._id],
    queryFn: ({ signal }) => api('features', 'usage', { params: { id: feature._id }, signal }),
    staleTime: 0,
  })
  const pods = usage.isFetching ? undefined : usage.data?.data.pods

  async function deleteFeature() {
    const { data } = await api('features', 'delete', { params: { id: feature._id } })
    showSuccess(data.message)
    void onDeleted()
  }

  return (
    <ConfirmDialog
      title="Delete feature"
      danger
      confirmLabel="Delete"
      consequence={usage.isError ? 'How many pods lose it could not be counted.' : toConsequence(pods)}
      onConfirm={deleteFeature}
      onClose={onClose}
    >
      Are you sure you want to delete “{feature.name}”?
    </ConfirmDialog>
  )
}

function toConsequence(pods: number | undefined): string {
  if (pods === undefined) return 'Counting the pods that have it…'
  if (pods === 0) return 'No pod has it. It cannot be brought back.'
  return `${toCounted(pods, 'pod loses', 'pods lose')} it. It cannot be brought back.`
}
