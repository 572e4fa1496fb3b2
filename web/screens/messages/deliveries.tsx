import { deliveryStates } from '#contract/webhook-events.ts'
import type { Delivery, Webhook } from '#contract/webhooks.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { ChoiceFilter, toChoices } from '#web/components/record-list/list-filters.tsx'
import { statusColumn, timeColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconEye } from '#web/ui/icons/icons.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { toRetryAction, useRetry } from './use-retry.tsx'
import { deliveryStateLabels, deliveryStateTones } from './webhook-words.ts'
import styles from './webhooks.module.css'

const deliveryList = defineList(
  'deliveries',
  {
    page: pageParam(),
    state: choiceParam(deliveryStates),
    webhook: textParam(),
    sort: choiceParamOr(['-createdAt', 'createdAt'], '-createdAt'),
  },
  { nouns: ['delivery', 'deliveries'], entity: undefined, pageSize: 10 },
)

const columns: readonly Column<Delivery>[] = [
  { key: 'event', header: 'Event', width: 170, text: ({ event }) => event, phone: 'title' },
  { key: 'url', header: 'To', minWidth: 180, wraps: true, text: ({ url }) => url },
  { key: 'response', header: 'Response', minWidth: 200, wraps: true, text: ({ response }) => response ?? '' },
  { key: 'tries', header: 'Tries', width: 80, align: 'end', text: ({ tries }) => String(tries) },
  statusColumn<Delivery>({
    width: 110,
    tone: ({ state }) => deliveryStateTones[state],
    words: ({ state }) => deliveryStateLabels[state],
  }),
  timeColumn<Delivery>('createdAt', 'Queued', ({ createdAt }) => createdAt),
]

const stateOptions = toChoices('All statuses', deliveryStateLabels)

/** The deliveries to webhooks, newest first. */
export function Deliveries({ webhooks }: { webhooks: readonly Webhook[] }) {
  const list = useRecordList(deliveryList)
  const retry = useRetry('deliveries')
  const dialogs = useDialogs<Delivery>()
  const { state } = list
  const webhookOptions = toChoices('All webhooks', Object.fromEntries(webhooks.map(({ _id, url }) => [_id, url])))

  return (
    <>
      <h2 className={styles.heading}>Deliveries</h2>
      <FilterBar setCount={state.setCount} onClear={state.clear}>
        <ChoiceFilter state={state} name="state" label="Status" options={stateOptions} />
        <ChoiceFilter state={state} name="webhook" label="Webhook" options={webhookOptions} />
      </FilterBar>
      <RecordTable
        list={list}
        label="Deliveries"
        columns={columns}
        rowName={({ event, url }) => `${event} to ${url}`}
        rowActions={(delivery) => [
          toDetailsAction(() => dialogs.show(delivery)),
          {
            ...toRetryAction('Replay', delivery._id, retry),
            unavailable: delivery.state === 'queued' && delivery.tries === 0 ? 'It is on its way' : undefined,
          },
        ]}
        noMatch="No delivery matches these filters."
        noneYet="What is sent to webhooks appears here for 30 days."
      />
      <DialogOutlet dialogs={dialogs}>
        {(delivery) => <DeliveryDialog delivery={delivery} onClose={dialogs.close} />}
      </DialogOutlet>
    </>
  )
}

const toDetailsAction = (onSelect: () => void) => ({ label: 'Details', icon: <IconEye />, onSelect })
