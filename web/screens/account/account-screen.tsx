import { useQuery } from '@tanstack/react-query'
import type { Account, AccountSession } from '#contract/account.ts'
import { toFullName } from '#contract/full-name.ts'
import { api } from '#web/api/client.ts'
import { queryClient } from '#web/api/query-client.ts'
import { apiQuery } from '#web/api/query.ts'
import { toMomentText, useBusinessDay } from '#web/lib/business-day.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { toBreakable } from '#web/ui/data-table/data-table-parts.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconLogout, IconPencil } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page, Panel } from '#web/ui/panel/panel.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState, ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { AccountForm } from './account-form.tsx'
import styles from './account-screen.module.css'
import { BrowserChoices } from './browser-choices.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'

const columns: readonly Column<AccountSession>[] = [
  {
    key: 'device',
    header: 'Device',
    minWidth: 180,
    wraps: true,
    phone: 'title',
    text: ({ device }) => device,
  },
  {
    key: 'this',
    header: 'Where',
    width: 120,
    text: ({ isThis }) => (isThis ? 'This one' : 'Elsewhere'),
    render: ({ isThis }) => (
      <StatusChip tone={isThis ? 'green' : 'grey'}>{isThis ? 'This one' : 'Elsewhere'}</StatusChip>
    ),
  },
  { key: 'place', header: 'Place', minWidth: 180, wraps: true, text: (session) => toPlace(session) || 'N/A' },
  {
    key: 'createdAt',
    header: 'Signed in',
    width: 200,
    text: ({ createdAt }) => toMomentText(createdAt),
    hideOnPhone: true,
  },
  { key: 'lastUsedAt', header: 'Last used', width: 200, text: ({ lastUsedAt }) => toMomentText(lastUsedAt) },
]

const toPlace = ({ address, country }: AccountSession) => (country === undefined ? address : `${country} (${address})`)

type Shown = 'edit' | 'others' | AccountSession

/** The person's own account: details, second factor, passkeys and sessions (rules §33.4). */
export function AccountScreen() {
  useDocumentTitle('Your account')
  const account = useQuery(apiQuery('account', 'get'))
  const sessions = useQuery(apiQuery('account', 'sessions'))
  const dialogs = useDialogs<Shown>()
  const error = account.error ?? sessions.error
  const isLoaded = account.data !== undefined && sessions.data !== undefined
  const retry = () => void Promise.all([account.refetch(), sessions.refetch()])

  return (
    <Page>
      <PageHeader title="Your account" description="Who you are here, and where you are signed in." />
      {error && (
        <ErrorState
          framed
          title="Your account could not be loaded"
          problem={toProblem(error)}
          onRetry={retry}
          retrying={account.isFetching || sessions.isFetching}
          outdated={isLoaded}
        />
      )}
      {isLoaded ? (
        <div className={styles.panels}>
          <Details account={account.data.data} onEdit={() => dialogs.show('edit')} />
          <SecondFactor />
          <Passkeys />
          <Sessions sessions={sessions.data.data} show={dialogs.show} />
          <BrowserChoices />
        </div>
      ) : (
        !error && (
          <Panel title="Details">
            <SkeletonLines count={2} />
          </Panel>
        )
      )}
      <DialogOutlet dialogs={dialogs}>
        {(shown) => {
          if (shown !== 'edit') return <EndSession of={shown} onClose={dialogs.close} />
          return account.data ? <AccountForm account={account.data.data} onClose={dialogs.close} /> : null
        }}
      </DialogOutlet>
    </Page>
  )
}

function Details({ account, onEdit }: { account: Account; onEdit: () => void }) {
  const lines = {
    Name: toFullName(account),
    Email: account.email,
    'Phone number': account.phoneNumber || 'N/A',
    Role: account.role || 'N/A',
  }
  return (
    <Panel
      title="Details"
      action={
        <Button size="small" icon={<IconPencil size={14} />} onClick={onEdit}>
          Edit details
        </Button>
      }
    >
      <dl className={styles.lines}>
        {Object.entries(lines).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{toBreakable(value)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function Sessions({ sessions, show }: { sessions: readonly AccountSession[]; show: (shown: Shown) => void }) {
  const today = useBusinessDay()
  const toActions = (session: AccountSession): RowAction[] => [
    {
      label: 'End session',
      icon: <IconLogout />,
      danger: true,
      onSelect: () => show(session),
      unavailable: session.isThis ? 'Sign Out ends this one.' : undefined,
    },
  ]
  return (
    <Panel
      title="Sessions"
      flush
      action={
        sessions.length > 1 && (
          <Button size="small" onClick={() => show('others')}>
            End all others
          </Button>
        )
      }
    >
      <DataTable
        // Its rows, which say that something was today, are rendered anew with the day.
        key={today}
        label="Sessions"
        columns={columns}
        rows={sessions}
        rowKey={({ _id }) => _id}
        rowName={({ device }) => device}
        rowActions={toActions}
        empty={<EmptyState>No session.</EmptyState>}
      />
    </Panel>
  )
}

function EndSession({ of, onClose }: { of: 'others' | AccountSession; onClose: () => void }) {
  const isAll = of === 'others'
  return (
    <ConfirmDialog
      title={isAll ? 'End all other sessions' : 'End session'}
      consequence="Whoever uses it is signed out at once. If it was not you, change your password too."
      confirmLabel={isAll ? 'End all others' : 'End session'}
      danger
      icon={<IconLogout size={16} />}
      onConfirm={async () => {
        const response = isAll
          ? await api('account', 'endOtherSessions')
          : await api('account', 'endSession', { params: { id: of._id } })
        showSuccess(response.data.message)
        await queryClient.invalidateQueries({ queryKey: ['account'] })
      }}
      onClose={onClose}
    >
      {isAll
        ? 'Sign out everywhere but here?'
        : `Sign out ${of.device}${of.address === '' ? '' : ` at ${toPlace(of)}`}, last used ${toMomentText(of.lastUsedAt)}?`}
    </ConfirmDialog>
  )
}
