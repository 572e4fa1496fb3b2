import { useQueryClient } from '@tanstack/react-query'
import { type ApiKeyState, apiKeyStates } from '#contract/api-key-states.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import { nameMissingAccess } from '#contract/pages.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { toAccessWords } from '#web/components/page-access-words.ts'
import { orReload } from '#web/components/record-conflict.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { ChoiceFilter, ListFilters, toChoices } from '#web/components/record-list/list-filters.tsx'
import { statusColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { toBusinessTime, toMomentText, useBusinessDay } from '#web/lib/business-day.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconLock, IconPlus } from '#web/ui/icons/icons.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { ApiKeyForm } from './api-key-form.tsx'
import { ListHead } from './list-head.tsx'

const apiKeyList = defineList(
  'apiKeys',
  {
    page: pageParam(),
    search: textParam(),
    state: choiceParam(apiKeyStates),
    sort: choiceParamOr(['-createdAt', 'createdAt', 'name', '-name'], '-createdAt'),
  },
  { nouns: ['API key', 'API keys'], entity: 'api-key', pageSize: 10 },
)

const stateLabels: Record<ApiKeyState, string> = { live: 'Live', expired: 'Expired', revoked: 'Revoked' }
const stateTones = { live: 'green', expired: 'orange', revoked: 'grey' } as const
const stateOptions = toChoices('All statuses', stateLabels)

const toLastDay = ({ expiresOn, revokedAt }: ApiKey) =>
  revokedAt === null ? (expiresOn ?? 'Never expires') : toBusinessTime(revokedAt).date

const columns: readonly Column<ApiKey>[] = [
  {
    key: 'name',
    header: 'Name',
    minWidth: 180,
    sortable: true,
    text: ({ name, prefix }) => `${name} ${prefix}…`,
    render: ({ name, prefix }) => <TwoLines first={name} second={`${prefix}…`} />,
    phone: 'title',
  },
  {
    key: 'pages',
    header: 'Page access',
    minWidth: 150,
    text: (key) => toAccessWords(key).names,
    render: (key) => toAccessWords(key).words,
    wraps: true,
  },
  {
    key: 'lastUsedAt',
    header: 'Last used',
    width: 172,
    text: ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt === null ? 'Never used' : `${toMomentText(lastUsedAt)} from ${lastUsedAddress}`,
    render: ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt === null ? 'Never used' : <TwoLines first={toMomentText(lastUsedAt)} second={lastUsedAddress ?? ''} />,
  },
  { key: 'expiresOn', header: 'Last day', width: 126, text: toLastDay },
  statusColumn<ApiKey>({
    width: 112,
    tone: ({ state }) => stateTones[state],
    words: ({ state }) => stateLabels[state],
  }),
  {
    key: 'createdAt',
    header: 'Created',
    minWidth: 130,
    sortable: true,
    text: ({ createdAt, createdBy }) => `${toMomentText(createdAt)} by ${createdBy.name}`,
    render: ({ createdAt, createdBy }) => <TwoLines first={toBusinessTime(createdAt).date} second={createdBy.name} />,
  },
]

/** The API keys with which other systems send requests (rules §38.6). */
export function ApiKeys() {
  const list = useRecordList(apiKeyList)
  const may = useMay()
  const records = useRecordDialogs<ApiKey>('api-key', toName)
  const keys = useDialogs<string>()
  const today = useBusinessDay()

  const rowActions = (apiKey: ApiKey): RowAction[] => {
    const revoked = apiKey.state === 'revoked' ? 'It is revoked' : undefined
    const missing = nameMissingAccess(apiKey, may.held)
    const hidden = !may.call('apiKeys.update')
    const revoke = () => records.askToDelete(apiKey)
    return [
      {
        ...records.toEditAction(apiKey),
        hidden,
        unavailable: revoked ?? (missing && `It may do more than you: ${missing}`),
      },
      records.toHistoryAction(apiKey),
      { label: 'Revoke', icon: <IconLock />, danger: true, hidden, onSelect: revoke, unavailable: revoked },
    ]
  }

  return (
    <>
      <ListHead title="Systems that call in">
        <CallButton call="apiKeys.create" variant="primary" icon={<IconPlus size={16} />} onClick={records.create}>
          Create API key
        </CallButton>
      </ListHead>
      <ListFilters state={list.state} label="Search API keys" placeholder="Search by name or beginning" clearable>
        <ChoiceFilter state={list.state} name="state" label="Status" options={stateOptions} />
      </ListFilters>
      <RecordTable
        key={today}
        list={list}
        label="API keys"
        columns={columns}
        rowName={toName}
        rowActions={rowActions}
        noMatch="No API key matches these filters."
        noneYet="No other system is connected yet. The customers’ app, door hardware and reports each get a key of their own."
      />
      <RecordDialogs
        dialogs={records.dialogs}
        renderForm={(apiKey, onClose) => <ApiKeyForm apiKey={apiKey} onKey={keys.show} onClose={onClose} />}
        renderDeletion={(apiKey, onClose) => <RevokeKey apiKey={apiKey} onClose={onClose} />}
      />
      <DialogOutlet dialogs={keys}>
        {(key) => (
          <ShownOnce label="API key" text={key} onClose={keys.close}>
            Give this to the system, which sends it with each request as <code>Authorization: Bearer</code>. Keep it as
            you would a password.
          </ShownOnce>
        )}
      </DialogOutlet>
    </>
  )
}

function toName({ name }: ApiKey): string {
  return name
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { _id, name, version, lastUsedAt } = apiKey

  async function revoke() {
    const reload = () => queryClient.invalidateQueries({ queryKey: ['apiKeys'] })
    const { data } = await orReload(api('apiKeys', 'revoke', { params: { id: _id }, version }), reload)
    showSuccess(data.message)
    await reload()
  }

  return (
    <ConfirmDialog
      title="Revoke API key"
      danger
      confirmLabel="Revoke"
      icon={<IconLock size={16} />}
      consequence={`${lastUsedAt === null ? 'It was never used.' : `It was last used: ${toMomentText(lastUsedAt)}.`} Requests with it are refused from now on, for good.`}
      onConfirm={revoke}
      onClose={onClose}
    >
      Revoke the key of {name}?
    </ConfirmDialog>
  )
}
