import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { NewKey, SecondFactor as SecondFactorState } from '#contract/second-factors.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import styles from '#web/components/second-factor/second-factor.module.css'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toMomentText } from '#web/lib/business-day.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconKey, IconShieldLock } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { ErrorSummary } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { refreshAfter } from './refresh-after.ts'
import { SetUpSecondFactor } from './set-up-second-factor.tsx'

type Shown = { newKey: NewKey } | { recoveryCodes: readonly string[] } | 'renew' | 'turn-off'

/** Number of recovery codes left at which the screen advises to make new ones. */
const FEW_CODES = 3

/** The second factor, which signing in asks for after the password (rules §33.7, §33.13). */
export function SecondFactor() {
  const query = useQuery(apiQuery('secondFactors', 'get'))
  const dialogs = useDialogs<Shown>()
  const make = useMutation({
    mutationFn: () => api('secondFactors', 'create'),
    onSuccess: ({ data }) => dialogs.show({ newKey: data }),
  })
  const factor = query.data?.data
  const isOn = factor !== undefined && (factor.isSetUp || factor.passkeys > 0)

  return (
    <Panel
      title="Second factor"
      action={
        factor && (
          <Button
            size="small"
            icon={<IconShieldLock size={14} />}
            loading={make.isPending}
            onClick={() => make.mutate()}
          >
            {factor.isSetUp ? 'Use another phone' : factor.passkeys > 0 ? 'Set up an app' : 'Set up'}
          </Button>
        )
      }
    >
      {factor ? (
        <div className={styles.words}>
          {make.error && <ErrorSummary problem={toProblem(make.error)} />}
          <p className={styles.withChip}>
            <StatusChip tone={isOn ? 'green' : 'grey'}>{isOn ? 'On' : 'Off'}</StatusChip>
            {toWords(factor)}
            {factor.isRequired && ' It is required of everyone here.'}
          </p>
          {isOn && (
            <>
              <p>
                {toCodesLeft(factor.recoveryCodesLeft)}{' '}
                {factor.recoveryCodesLeft <= FEW_CODES && 'Make new ones before you have none when your phone is lost.'}
              </p>
              <div className={styles.actions}>
                <Button size="small" icon={<IconKey size={14} />} onClick={() => dialogs.show('renew')}>
                  New recovery codes
                </Button>
                {factor.isSetUp && (!factor.isRequired || factor.passkeys > 0) && (
                  <Button size="small" onClick={() => dialogs.show('turn-off')}>
                    {factor.passkeys > 0 ? 'Remove authenticator app' : 'Turn off'}
                  </Button>
                )}
              </div>
            </>
          )}
        </div>
      ) : (
        <Unloaded query={query} title="Your second factor could not be loaded">
          <SkeletonLines count={1} />
        </Unloaded>
      )}
      <DialogOutlet dialogs={dialogs}>
        {(shown) => {
          if (shown === 'renew') {
            return <RenewCodes onCodes={(recoveryCodes) => dialogs.show({ recoveryCodes })} onClose={dialogs.close} />
          }
          if (shown === 'turn-off') return <TurnOff hasPasskeys={(factor?.passkeys ?? 0) > 0} onClose={dialogs.close} />
          if ('recoveryCodes' in shown) return <RecoveryCodes codes={shown.recoveryCodes} onClose={dialogs.close} />
          return (
            <SetUpSecondFactor
              newKey={shown.newKey}
              onCodes={(recoveryCodes) => dialogs.show({ recoveryCodes })}
              onClose={dialogs.close}
            />
          )
        }}
      </DialogOutlet>
    </Panel>
  )
}

function toWords({ isSetUp, since, passkeys }: SecondFactorState): string {
  const begun = since === null ? '' : `, since ${toMomentText(since)}`
  if (isSetUp && passkeys > 0)
    return 'You sign in with your password and a code from your authenticator app or a passkey. A passkey alone will do too.'
  if (isSetUp) return `You sign in with your password and a code from your authenticator app${begun}.`
  if (passkeys > 0) return 'You sign in with your password and a passkey. A passkey alone will do too.'
  return 'With one, your password alone lets nobody in: signing in asks for a code from your phone or a passkey too.'
}

function toCodesLeft(left: number): string {
  if (left === 0) return 'No recovery code is left.'
  return left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`
}

function RenewCodes({ onCodes, onClose }: { onCodes: (codes: string[]) => void; onClose: () => void }) {
  const codes = useRef<string[]>(undefined)
  return (
    <ConfirmDialog
      title="New recovery codes"
      consequence="The codes that you have now stop working."
      confirmLabel="Make new codes"
      onConfirm={async () => {
        const { data } = await refreshAfter(api('secondFactors', 'createRecoveryCodes'))
        codes.current = data.recoveryCodes
      }}
      onClose={() => (codes.current ? onCodes(codes.current) : onClose())}
    >
      Make ten new codes for when your phone is not at hand?
    </ConfirmDialog>
  )
}

function TurnOff({ hasPasskeys, onClose }: { hasPasskeys: boolean; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={hasPasskeys ? 'Remove authenticator app' : 'Turn the second factor off'}
      consequence={
        hasPasskeys ? 'Your passkeys and recovery codes work as before.' : 'Your recovery codes stop working too.'
      }
      confirmLabel={hasPasskeys ? 'Remove' : 'Turn off'}
      danger
      icon={<IconShieldLock size={16} />}
      onConfirm={async () => {
        const { data } = await refreshAfter(api('secondFactors', 'delete'))
        showSuccess(data.message)
      }}
      onClose={onClose}
    >
      {hasPasskeys
        ? 'No longer ask for a code from the app after your password?'
        : 'Sign in with your password alone from now on?'}
    </ConfirmDialog>
  )
}
