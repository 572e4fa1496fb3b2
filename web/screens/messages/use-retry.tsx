import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { IconRefresh, IconX } from '#web/ui/icons/icons.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

/** Tries again what could not be sent. */
export function useRetry(domain: 'mails' | 'failedJobs' | 'deliveries') {
  const mayRetry = useMay().call(domain === 'deliveries' ? `${domain}.replay` : `${domain}.retry`)
  const retry = useRowRequest((id) =>
    domain === 'deliveries' ? api(domain, 'replay', { params: { id } }) : api(domain, 'retry', { params: { id } }),
  )
  return { ...retry, mayRetry }
}

/** Takes a failure off the list. */
export function useDismiss() {
  const mayDismiss = useMay().call('failedJobs.dismiss')
  const dismiss = useRowRequest((id) => api('failedJobs', 'dismiss', { body: { ids: [id] } }))
  return { ...dismiss, mayDismiss }
}

function useRowRequest(send: (id: string) => Promise<{ data: { message: string } }>) {
  const queryClient = useQueryClient()
  const request = useMutation({
    mutationFn: send,
    onSuccess: ({ data }) => showSuccess(data.message),
    onError: (error, id) => showFailedAction(error, () => request.mutate(id), { recordId: id }),
    // The same failure appears in several of these lists.
    onSettled: () =>
      Promise.all(
        ['mails', 'failedJobs', 'deliveries'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  })
  return request
}

export function toRetryAction(label: string, id: string, retry: ReturnType<typeof useRetry>): RowAction {
  const { mayRetry, mutate, isPending, variables } = retry
  const loading = isPending && variables === id
  return { label, icon: <IconRefresh />, hidden: !mayRetry, loading, onSelect: () => mutate(id) }
}

export function toDismissAction(id: string, dismiss: ReturnType<typeof useDismiss>): RowAction {
  const { mayDismiss, mutate, isPending, variables } = dismiss
  const loading = isPending && variables === id
  return { label: 'Dismiss', icon: <IconX />, hidden: !mayDismiss, loading, onSelect: () => mutate(id) }
}
