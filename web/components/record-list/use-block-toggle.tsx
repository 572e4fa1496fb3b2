import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { useGoTo } from '#web/lib/link.tsx'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { IconLock, IconLockOpen } from '#web/ui/icons/icons.tsx'
import { showFailedAction } from '../failed-action.ts'
import { showChanged } from '../undo.ts'
import { type BookingOwners, toUpcomingText, useUpcomingPath } from './upcoming-bookings.tsx'

type Blockable = { _id: string; isBlocked: boolean }

type BlockToggleOptions = {
  /** Shows a record as blocked or not. Called before the server responds, and again to revert after an error. */
  show?: (record: Blockable, isBlocked: boolean) => void
}

/** Blocks or unblocks a record at once and reports the result in a toast, in the same way on every screen. */
export function useBlockToggle(
  domain: 'features' | Exclude<BookingOwners, 'companies'>,
  { show }: BlockToggleOptions = {},
) {
  const queryClient = useQueryClient()
  const goTo = useGoTo()
  const mayBlock = useMay().call(`${domain}.block`)
  const toPath = useUpcomingPath()
  /** Ids of the records that are changing: the second click of a double one comes before the button is drawn as busy. */
  const changing = useRef(new Set<string>())
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (record: Blockable) =>
      api(domain, record.isBlocked ? 'unblock' : 'block', { params: { id: record._id } }),
    onMutate: (record) => show?.(record, !record.isBlocked),
    onSuccess: (response, record) => {
      const { data } = response
      // The fallback of rules §15.5.
      showChanged(data.message || 'Operation successful', response, toMore(record, data))
    },
    onError: (error, record) => {
      show?.(record, record.isBlocked)
      showFailedAction(error, () => toggle(record), { recordId: record._id })
    },
    onSettled: async (_response, _error, record) => {
      await queryClient.invalidateQueries({ queryKey: [domain] })
      changing.current.delete(record._id)
    },
  })

  function toggle(record: Blockable) {
    if (changing.current.has(record._id)) return
    changing.current.add(record._id)
    mutate(record)
  }

  /** Returns the note and link for the upcoming bookings, which a blocked record keeps. */
  function toMore({ _id }: Blockable, data: { message: string } | { upcomingBookings: number }) {
    const count = 'upcomingBookings' in data ? data.upcomingBookings : 0
    if (domain === 'features' || count === 0) return {}
    const href = toPath(domain, _id)
    const link = href && { label: count === 1 ? 'Show it' : 'Show them', href, follow: goTo }
    return { note: toUpcomingText(count), ...(link && { link }) }
  }

  return {
    toggle,
    toBlockAction: (record: Blockable): RowAction => ({
      label: record.isBlocked ? 'Unblock' : 'Block',
      icon: record.isBlocked ? <IconLockOpen /> : <IconLock />,
      hidden: !mayBlock,
      loading: isPending && variables._id === record._id,
      onSelect: () => toggle(record),
    }),
  }
}
