import { useState } from 'react'
import { SETTINGS_ID } from '#contract/audit-entities.ts'
import type { BookingPolicy } from '#contract/booking-policy.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toMoved } from '#web/lib/moved.ts'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '#web/ui/icons/icons.tsx'
import styles from './policies.module.css'

const MOST_REASONS = 30

type Row = { key: string; reason: string }

const toValues = ({ cancelReasons }: BookingPolicy) => ({
  cancelReasons: cancelReasons.map((reason): Row => ({ key: reason, reason })),
})

/** Without the keys of the rows. */
const toStored = ({ cancelReasons }: { cancelReasons: Row[] }) => ({
  cancelReasons: cancelReasons.map(({ reason }) => reason),
})

const reasonPaths = Array.from({ length: MOST_REASONS }, (_, index) => `cancelReasons.${index}`)

/** Edits the cancellation reasons in the order in which staff are offered them. The first is preselected. */
export function ReasonsForm({ policy, onClose }: { policy: BookingPolicy; onClose: () => void }) {
  const [added, setAdded] = useState(0)
  const { form, modal } = useFormDialog({
    initialValues: toValues(policy),
    edits: { entity: 'policy', id: SETTINGS_ID },
    edited: {
      record: policy,
      toValues,
      toStored,
      labels: { cancelReasons: 'Reasons for cancellations' },
      show: (_, { cancelReasons }) => cancelReasons.map(({ reason }) => reason).join(', '),
    },
    save: (values, version = policy.version) =>
      submit('bookingActions', 'setPolicy', { version, body: toStored(values) }),
    success: 'Reasons saved',
    domain: 'bookingActions',
    otherFields: reasonPaths,
    onClose,
  })
  const rows = form.values.cancelReasons
  const set = (next: Row[]) => form.setFieldValue('cancelReasons', next)

  function add() {
    setAdded(added + 1)
    set([...rows, { key: `new ${added}`, reason: '' }])
  }

  return (
    <FormModal title="Reasons for cancellations" submitLabel="Save reasons" {...modal}>
      <ul className={styles.rows}>
        {rows.map((row, index) => (
          <li key={row.key} className={styles.row}>
            <TextField
              label={`Reason ${index + 1}`}
              hideLabel
              value={row.reason}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- only a row that was just added is empty
              autoFocus={row.reason === ''}
              onChange={(reason) => set(rows.map((one) => (one === row ? { ...one, reason } : one)))}
              error={form.errors[`cancelReasons.${index}`]}
            />
            <IconAction
              label={`Move ${row.reason || 'reason'} up`}
              icon={<IconArrowUp />}
              disabled={index === 0}
              onClick={() => set(toMoved(rows, index, index - 1))}
            />
            <IconAction
              label={`Move ${row.reason || 'reason'} down`}
              icon={<IconArrowDown />}
              disabled={index === rows.length - 1}
              onClick={() => set(toMoved(rows, index, index + 1))}
            />
            <IconAction
              label={`Delete ${row.reason || 'reason'}`}
              icon={<IconTrash />}
              onClick={() => set(rows.filter((one) => one !== row))}
            />
          </li>
        ))}
      </ul>
      {form.errors.cancelReasons !== undefined && (
        <p className={styles.error} role="alert">
          {form.errors.cancelReasons}
        </p>
      )}
      <div>
        <Button size="small" icon={<IconPlus size={14} />} disabled={rows.length >= MOST_REASONS} onClick={add}>
          Add reason
        </Button>
      </div>
      <p className={styles.hint}>Bookings that were cancelled keep the reason that they were given.</p>
    </FormModal>
  )
}
