import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { type BookedFor, findEmail } from '#web/components/booked-for/booked-for.ts'
import { Button } from '#web/ui/button/button.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'

/**
 * Whether to mail the booking's code. Until the person chooses, it follows whether customers get a message about new
 * bookings, and is off for bookings for oneself.
 */
export function useSendCode(bookedFor: BookedFor) {
  const query = useQuery(apiQuery('messages', 'kinds'))
  const { data } = query
  const ownEmail = useSession()?.userData?.user.email ?? ''
  const [chosen, setChosen] = useState<boolean>()
  const email = findEmail(bookedFor, ownEmail)
  const isUsual = bookedFor.kind !== 'me' && data?.data.kinds.includes('booked') === true
  const canBeSent = email !== '' && data?.data.canSend === true
  // Undefined when the code cannot be sent: the request then leaves the choice out.
  const value = canBeSent ? (chosen ?? isUsual) : undefined
  return { email, canBeSent, query, value, set: setChosen }
}

export function SendCodeField({ sendCode }: { sendCode: ReturnType<typeof useSendCode> }) {
  const { email, canBeSent, query, value, set } = sendCode
  return (
    <SwitchField
      label="Send the code by mail"
      checked={value === true}
      disabled={!canBeSent}
      onChange={set}
      hint={
        query.data === undefined && query.error ? (
          <>
            Whether mails are sent from here could not be loaded.{' '}
            <Button size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
              Retry
            </Button>
          </>
        ) : query.data?.data.canSend === false ? (
          'No mail server is set here.'
        ) : email === '' ? (
          'There is no email address to send it to.'
        ) : (
          email && `To ${email}, with a calendar file`
        )
      }
    />
  )
}
