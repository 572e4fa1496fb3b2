import { useQuery } from '@tanstack/react-query'
import type { BookingPolicy, LocationPolicy } from '#contract/booking-policy.ts'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { HistoryDialog } from '#web/components/history/history-dialog.tsx'
import { listPolicyLines, toPolicyText } from '#web/components/policy-words.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useFindLocation } from '#web/components/use-find-location.tsx'
import { Button } from '#web/ui/button/button.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconHistory, IconPencil } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page, Panel } from '#web/ui/panel/panel.tsx'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { LocationPolicyForm } from './location-policy-form.tsx'
import { NoShowForm } from './no-show-form.tsx'
import styles from './policies.module.css'
import { PolicyForm } from './policy-form.tsx'
import { ReasonsForm } from './reasons-form.tsx'
import { RefundExample } from './refund-example.tsx'
import { SecondFactorRule } from './second-factor-rule.tsx'

type Shown = 'policy' | 'reasons' | 'history' | 'no-shows' | LocationPolicy

const columns: readonly Column<LocationPolicy>[] = [
  {
    key: 'name',
    header: 'Location',
    minWidth: 160,
    render: ({ name, city }) => <TwoLines first={name} second={city} wraps />,
    text: ({ name, city }) => `${name}, ${city}`,
    phone: 'title',
  },
  {
    key: 'policy',
    header: 'Cancellation policy',
    minWidth: 280,
    wraps: true,
    text: ({ cancelPolicy }) => (cancelPolicy ? toPolicyText(cancelPolicy) : 'As for all'),
  },
  {
    key: 'noShow',
    header: 'No-show by the clock',
    width: 190,
    text: ({ noShowMinutes }) => (noShowMinutes === null ? 'Off' : `After ${noShowMinutes} minutes`),
  },
]

/** Policies for cancellations, no-shows and signing in; access to page 8 includes them (rules §27.11). */
export function PoliciesScreen() {
  const query = useQuery(apiQuery('bookingActions', 'getPolicy'))
  const dialogs = useDialogs<Shown>()
  const policy = query.data?.data
  return (
    <Page>
      <PageHeader
        title="Policies"
        description="What a cancellation gives back, why bookings are cancelled, when nobody came, and how people sign in."
        secondaryActions={
          <Button icon={<IconHistory size={16} />} onClick={() => dialogs.show('history')}>
            History
          </Button>
        }
      />
      <Unloaded query={query} framed title="The policies could not be loaded">
        {!policy && (
          <div className={styles.pair} aria-hidden>
            <Panel title="Cancellation policy for all">
              <SkeletonLines count={6} />
            </Panel>
            <Panel title="Reasons for cancellations">
              <SkeletonLines count={4} />
            </Panel>
          </div>
        )}
      </Unloaded>
      {policy && <Policies policy={policy} show={dialogs.show} />}
      <DialogOutlet dialogs={dialogs}>
        {(shown) => {
          if (shown === 'history') {
            return <HistoryDialog of={{ entity: 'policy', name: 'the policy for all' }} onClose={dialogs.close} />
          }
          if (!policy) return null
          if (shown === 'policy') return <PolicyForm policy={policy} onClose={dialogs.close} />
          if (shown === 'reasons') return <ReasonsForm policy={policy} onClose={dialogs.close} />
          if (shown === 'no-shows')
            return <NoShowForm locationCount={policy.locations.length} onClose={dialogs.close} />
          return <LocationPolicyForm location={shown} forAll={policy.cancelPolicy} onClose={dialogs.close} />
        }}
      </DialogOutlet>
    </Page>
  )
}

function EditButton(props: { onClick: () => void; children: string }) {
  return <CallButton call="bookingActions.setPolicy" size="small" icon={<IconPencil size={14} />} {...props} />
}

function Policies({ policy, show }: { policy: BookingPolicy; show: (shown: Shown) => void }) {
  const mayChange = useMay().changeRecords('policy')
  const toActions = (location: LocationPolicy): RowAction[] => [
    { label: 'Edit', icon: <IconPencil />, hidden: !mayChange, onSelect: () => show(location) },
  ]
  const { field, search, found } = useFindLocation(policy.locations, ({ name, city }) => `${name} ${city}`)
  const action = (
    <>
      {field}
      {policy.locations.length > 1 && (
        <CallButton call="bookingActions.setNoShowMinutes" size="small" onClick={() => show('no-shows')}>
          No-shows for all
        </CallButton>
      )}
    </>
  )
  return (
    <div className={styles.panels}>
      <div className={styles.pair}>
        <Panel
          title="Cancellation policy for all"
          action={<EditButton onClick={() => show('policy')}>Edit policy</EditButton>}
        >
          <PolicyLines policy={policy.cancelPolicy} />
          <RefundExample policy={policy.cancelPolicy} />
          <p className={styles.hint}>A booking keeps the policy that applied when it was made.</p>
        </Panel>
        <div className={styles.panels}>
          <Panel
            title="Reasons for cancellations"
            action={<EditButton onClick={() => show('reasons')}>Edit reasons</EditButton>}
          >
            <ol className={styles.reasons}>
              {policy.cancelReasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ol>
          </Panel>
          <SecondFactorRule />
        </div>
      </div>
      <Panel title="By location" action={action} flush>
        <DataTable
          label="Policies by location"
          columns={columns}
          rows={found}
          rowKey={({ _id }) => _id}
          rowName={({ name }) => name}
          rowActions={toActions}
          empty={
            <EmptyState>
              {search === '' ? 'Locations appear here as soon as there are any.' : 'No location found'}
            </EmptyState>
          }
        />
      </Panel>
    </div>
  )
}

function PolicyLines({ policy }: { policy: CancelPolicy }) {
  return (
    <ul className={styles.lines}>
      {listPolicyLines(policy).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
