import { useQuery } from '@tanstack/react-query'
import { PAGE } from '#contract/pages.ts'
import type { Requirement } from '#contract/second-factors.ts'
import { api } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'
import { apiQuery } from '#web/api/query.ts'
import { CallButton } from '#web/components/call-button.tsx'
import secondFactor from '#web/components/second-factor/second-factor.module.css'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toCounted } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { ACCOUNT_PATH, pathOf } from '#web/paths.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconShieldLock } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import styles from './policies.module.css'

/** The setting whether everyone must have a second factor (rules §33.10). */
export function SecondFactorRule() {
  const query = useQuery(apiQuery('secondFactors', 'getRequirement'))
  const dialogs = useDialogs<Requirement>()
  const rule = query.data?.data
  return (
    <Panel
      title="Signing in"
      action={
        rule && (
          <CallButton
            call="secondFactors.setRequirement"
            size="small"
            icon={<IconShieldLock size={14} />}
            disabled={!rule.isRequired && !rule.isOwnSetUp}
            onClick={() => dialogs.show(rule)}
          >
            {rule.isRequired ? 'No longer require' : 'Require of everyone'}
          </CallButton>
        )
      }
    >
      {rule ? (
        <Words rule={rule} />
      ) : (
        <Unloaded query={query} title="The rule for second factors could not be loaded">
          <SkeletonLines count={2} />
        </Unloaded>
      )}
      <DialogOutlet dialogs={dialogs}>{(shown) => <Confirm rule={shown} onClose={dialogs.close} />}</DialogOutlet>
    </Panel>
  )
}

function Words({ rule }: { rule: Requirement }) {
  const { isRequired, staff, staffWithSecondFactor, isOwnSetUp } = rule
  const without = staff - staffWithSecondFactor
  return (
    <>
      <p className={`${styles.said} ${secondFactor.withChip}`}>
        <StatusChip tone={isRequired ? 'green' : 'grey'}>{isRequired ? 'Required' : 'Not required'}</StatusChip>
        {isRequired
          ? 'Everyone needs a second factor. Anyone without one can do nothing but set one up.'
          : 'Everyone decides for themselves whether they have a second factor.'}
      </p>
      <p className={styles.said}>
        {staffWithSecondFactor} of {toCounted(staff, 'active staff member has', 'active staff members have')} one.{' '}
        {without > 0 && (
          <Link href={pathOf(PAGE.staff, { status: 'active', secondFactor: 'no' })}>Show who has none</Link>
        )}
      </p>
      {!isRequired && !isOwnSetUp && (
        <p className={styles.hint}>
          To require one, <Link href={ACCOUNT_PATH}>set up your own</Link> first.
        </p>
      )}
    </>
  )
}

function Confirm({ rule, onClose }: { rule: Requirement; onClose: () => void }) {
  const { isRequired, staff, staffWithSecondFactor } = rule
  const without = staff - staffWithSecondFactor
  return (
    <ConfirmDialog
      title={isRequired ? 'No longer require a second factor' : 'Require a second factor of everyone'}
      consequence={
        isRequired
          ? 'Those who have one keep it, and may turn it off.'
          : without === 0
            ? 'Everyone has one already, and cannot turn it off any more.'
            : `${toCounted(without, 'colleague has', 'colleagues have')} none: from their next click on they are asked to set one up before anything else.`
      }
      confirmLabel={isRequired ? 'No longer require' : 'Require of everyone'}
      danger={isRequired}
      icon={<IconShieldLock size={16} />}
      onConfirm={async () => {
        const { data } = await api('secondFactors', 'setRequirement', { body: { isRequired: !isRequired } })
        showSuccess(data.message)
        await queryClient.invalidateQueries({ queryKey: ['secondFactors'] })
      }}
      onClose={onClose}
    >
      {isRequired
        ? 'May people sign in with their password alone again?'
        : 'Must everyone have a second factor, such as a code from their phone, as well as the password?'}
    </ConfirmDialog>
  )
}
