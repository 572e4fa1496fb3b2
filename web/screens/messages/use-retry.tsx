import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { IconRefresh } from '#web/ui/icons/icons.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

/** Tries again what could not be sent. */
export function useRetry(domain: 'mails' | 'failedJobs' | 'deliveries') {
  const queryClient = useQueryClient()
  const mayRetry = useMay().call(domain === 'deliveries' ? `${domain}.replay` : `${domain}.retry`)
  const retry = useMutation({
    mutationFn: (id: string) =>
      domain === 'deliveries' ? api(domain, 'replay', { params: { id } }) : api(domain, 'retry', { params: { id } }),
    onSuccess: ({ data }) => showSuccess(data.message),
    onError: (error, id) => showFailedAction(error, () => retry.mutate(id), { recordId: id }),
    // What is tried again appears in several of these lists.
    onSettled: () =>
      Promise.all(
        ['mails', 'failedJobs', 'deliveries'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  })
  return { ...retry, mayRetry }
}

type Retry = ReturnType<typeof useRetry>

export function toRetryAction(label: string, id: string, retry: Retry): RowAction {
  const { mayRetry, mutate, isPending, variables } = retry
  const loading = isPending && variables === id
  return { label, icon: <IconRefresh />, hidden: !mayRetry, loading, onSelect: () => mutate(id) }
}
