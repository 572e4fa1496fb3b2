import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MessageKind } from '#contract/message-templates.ts'
import type { Template, Templates } from '#contract/messages.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { showFailedAction } from '#web/components/failed-action.ts'
import { mailKindLabels } from '#web/components/mail-words.ts'
import { statusColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { showChanged } from '#web/components/undo.ts'
import { useFindLocation } from '#web/components/use-find-location.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconLock, IconLockOpen } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import styles from './customer-messages.module.css'
import { toHourOptions } from './reminder-hours.ts'
import { RemindersForm } from './reminders-form.tsx'
import { TemplateForm } from './template-form.tsx'

const templatesQuery = apiQuery('messages', 'templates')

const sentWhen: Record<MessageKind, string> = {
  booked: 'When a booking is made for them',
  moved: 'When its time or pod changes',
  cancelled: 'When it is cancelled',
  reminder: 'Some hours before it starts',
}

const columns: readonly Column<Template>[] = [
  {
    key: 'kind',
    header: 'Message',
    minWidth: 220,
    text: toName,
    render: ({ kind }) => <TwoLines first={mailKindLabels[kind]} second={sentWhen[kind]} />,
    phone: 'title',
  },
  { key: 'subject', header: 'Subject', minWidth: 220, wraps: true, text: ({ subject }) => subject },
  {
    key: 'texts',
    header: 'Texts',
    width: 130,
    text: ({ isDefault }) => (isDefault ? 'Original' : 'Your own'),
    hideOnPhone: true,
  },
  statusColumn<Template>({
    tone: ({ isEnabled }) => (isEnabled ? 'green' : 'grey'),
    words: ({ isEnabled }) => (isEnabled ? 'On' : 'Off'),
  }),
]

/** The messages that customers get about their bookings, and when reminders are sent (rules §32.7). */
export function CustomerMessages() {
  const query = useQuery(templatesQuery)
  const records = useRecordDialogs<Template>('template', toName)
  const mayChange = useMay().changeRecords('template')
  const { mutate, isPending, variables } = useChange(({ _id, version, isEnabled }: Template) =>
    api('messages', 'setTemplate', { params: { id: _id }, version, body: { isEnabled: !isEnabled } }),
  )
  const toActions = (template: Template): RowAction[] => [
    records.toEditAction(template),
    {
      label: template.isEnabled ? 'Switch off' : 'Switch on',
      icon: template.isEnabled ? <IconLock /> : <IconLockOpen />,
      hidden: !mayChange,
      loading: isPending && variables._id === template._id,
      onSelect: () => mutate(template),
    },
    records.toHistoryAction(template),
  ]
  const data = query.data?.data

  return (
    <div className={styles.panels}>
      <Panel title="Messages to customers" flush>
        {data?.isMailSet === false && (
          <p className={styles.notice}>
            No mail server is set here (SMTP_URL). Messages are written and appear under Mails, but nothing is sent.
          </p>
        )}
        <DataTable
          label="Messages to customers"
          columns={columns}
          rows={data?.templates}
          rowKey={({ _id }) => _id}
          rowName={toName}
          rowActions={toActions}
          skeletonRows={4}
          problem={query.error && toProblem(query.error)}
          onRetry={() => void query.refetch()}
          empty={<EmptyState>There are no messages.</EmptyState>}
        />
      </Panel>
      {data && (
        <Reminders
          locations={data.locations}
          isOn={data.templates.some(({ kind, isEnabled }) => kind === 'reminder' && isEnabled)}
        />
      )}
      <RecordDialogs
        dialogs={records.dialogs}
        renderForm={(template, onClose) => template && <TemplateForm template={template} onClose={onClose} />}
      />
    </div>
  )
}

function toName({ kind }: Template): string {
  return mailKindLabels[kind]
}

type Location = Templates['locations'][number]

function Reminders({ locations, isOn }: { locations: readonly Location[]; isOn: boolean }) {
  const { field, search, found } = useFindLocation(locations, ({ name, city }) => `${name} ${city}`)
  const dialogs = useDialogs<'all'>()
  const action = (
    <>
      {field}
      {locations.length > 1 && (
        <CallButton call="messages.setReminders" size="small" onClick={() => dialogs.show('all')}>
          Set for all
        </CallButton>
      )}
    </>
  )
  return (
    <Panel title="Reminders" action={action}>
      <p className={styles.words}>
        How long before the start customers are reminded, by location.
        {!isOn && ' The message ‘Reminder’ is off: nobody is reminded until it is on.'}
      </p>
      {found.length === 0 && (
        <EmptyState>{search === '' ? 'There are no locations yet.' : 'No location found'}</EmptyState>
      )}
      <div className={styles.locations}>
        {found.map((location) => (
          <ReminderField key={location._id} location={location} />
        ))}
      </div>
      <DialogOutlet dialogs={dialogs}>
        {() => <RemindersForm locationCount={locations.length} onClose={dialogs.close} />}
      </DialogOutlet>
    </Panel>
  )
}

function ReminderField({ location }: { location: Location }) {
  const { _id, name, city } = location
  const mayChange = useMay().call('messages.setReminder')
  const queryClient = useQueryClient()
  const findLocation = () =>
    queryClient
      .getQueryData<ApiResponse<Templates>>(templatesQuery.queryKey)
      ?.data.locations.find((one) => one._id === _id)
  const { mutate, isPending, variables } = useChange(
    (reminderHours: number | null) =>
      api('messages', 'setReminder', {
        params: { id: _id },
        version: (findLocation() ?? location).version,
        body: { reminderHours },
      }),
    // Each press of an arrow key chooses, and is saved after the one before it.
    `reminder of ${_id}`,
  )
  const shown = isPending ? variables : location.reminderHours
  return (
    <NativeSelect
      label={name}
      hint={city}
      disabled={!mayChange}
      options={toHourOptions(shown)}
      value={shown === null ? '' : String(shown)}
      onChange={(value) => mutate(value === '' ? null : Number(value))}
    />
  )
}

/** Saves a change at once, and offers Undo. Changes with the same `inTurn` are saved one after the other. */
function useChange<Changed>(
  send: (changed: Changed) => ReturnType<typeof api<'messages', 'setTemplate'>>,
  inTurn?: string,
) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: send,
    ...(inTurn !== undefined && { scope: { id: inTurn } }),
    onSuccess: (response) => showChanged('Saved', response),
    onError: (error, changed) => showFailedAction(error, () => change.mutate(changed)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['messages'] }),
  })
  return change
}
