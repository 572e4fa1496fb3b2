import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Pod } from '#contract/pods.ts'
import { apiQuery } from '#web/api/query.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import { usePodLookup } from './use-pod-lookup.tsx'

export const POD_GONE = 'This pod cannot be booked any more. Choose another.'

/** The pod of the form: looked up by the person, or chosen by its id from what is offered. */
export function useChosenPod(initial: Pod | undefined, onChoose: () => void) {
  const queryClient = useQueryClient()
  const lookup = usePodLookup()
  const [pod, setPod] = useState(initial)
  /** Id of the pod that was chosen last. */
  const wanted = useRef<string | null>(null)

  function choose(found: Pod | undefined) {
    onChoose()
    setPod(found)
  }

  function chooseOption(podId: string | null) {
    wanted.current = podId
    choose(lookup.options.find(({ value }) => value === podId)?.pod)
  }

  async function chooseById(podId: string) {
    wanted.current = podId
    const query = { search: podId, page: 1, limit: 1, status: 'active' } as const
    try {
      const { data } = await queryClient.fetchQuery(apiQuery('pods', 'list', { query }))
      const [found] = data
      // Another may have been chosen meanwhile.
      if (wanted.current !== podId) return
      if (found) choose(found)
      else showFailure(POD_GONE)
    } catch (error) {
      showFailedAction(error, () => void chooseById(podId))
    }
  }

  return { pod, lookup, chooseOption, chooseById: (podId: string) => void chooseById(podId) }
}
