import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FreeInstead as Free } from '#contract/booking-actions.ts'
import { toMoneyText, toPrice } from '#contract/money.ts'
import { PAGE } from '#contract/pages.ts'
import { purposes, toMark, toMarks, toMinutes, toWireTime } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { submit } from '#web/api/check-body.ts'
import { useMay } from '#web/api/may.ts'
import { BookedForFields } from '#web/components/booked-for/booked-for-fields.tsx'
import { bookedForPaths, forOneself, toBookFor, toOwedText } from '#web/components/booked-for/booked-for.ts'
import { TimeFields } from '#web/components/booking/interval-fields.tsx'
import { FreeInstead } from '#web/components/free-instead.tsx'
import { areHoursAlone, OverrideReason, REASON_MISSING } from '#web/components/override-reason.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toDateText } from '#web/lib/format.ts'
import { isPlainClick, Link, useGoTo } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { findHoursNote, type Proposal } from './proposal.ts'
import type { Row } from './rows.ts'
import styles from './schedule-screen.module.css'

const purposeOptions = purposes.map((purpose) => ({ value: purpose, label: purpose }))

type NewBookingProps = {
  proposal: Proposal
  /** The rows of the schedule as they are now: the rate may have changed since the dialog was opened. */
  rows: readonly Row[]
  onClose: () => void
}

/** Books the proposed time for oneself, a customer or a company. */
export function NewBooking({ proposal, rows, onClose }: NewBookingProps) {
  const [chosen, setChosen] = useState(proposal.row)
  const row = rows.find(({ key }) => key === chosen.key) ?? chosen
  const [refused, setRefused] = useState<{ time: string; free: Free }>()
  const queryClient = useQueryClient()
  const goTo = useGoTo()
  const mayOverride = useMay().changeRecords('booking')
  const { form, modal } = useFormDialog({
    initialValues: {
      bookedFor: forOneself,
      bookingPurpose: 'meeting',
      startTime: toMark(proposal.start),
      endTime: toMark(proposal.end),
      overrideReason: '',
    },
    otherFields: bookedForPaths,
    save: ({ bookedFor, bookingPurpose, startTime, endTime, overrideReason }) =>
      submit('bookings', 'createFor', {
        body: {
          podId: row.podId,
          for: toBookFor(bookedFor),
          bookingPurpose,
          bookingDate: row.date,
          startTime: toWireTime(row.date, startTime),
          endTime: toWireTime(row.date, endTime),
          ...(bookedFor.kind === 'me' ? {} : { price: toPriceIn(row, startTime, endTime) }),
          ...(isOutside && mayOverride ? { overrideReason } : {}),
        },
      }).catch(async (error) => {
        const free = error instanceof ApiError ? error.free : undefined
        setRefused(free && { time: toTimeKey(row, startTime, endTime), free })
        // The price has changed meanwhile, or somebody else was quicker.
        await queryClient.invalidateQueries({ queryKey: ['schedule'] })
        throw error
      }),
    onSaved: () => queryClient.invalidateQueries({ queryKey: ['schedule'] }),
    domain: 'bookings',
    onClose,
  })
  const values = form.getValues()
  const { bookedFor, bookingPurpose: purpose, startTime, endTime, overrideReason } = values
  const hours = findHoursNote({ row, start: toMinutes(startTime), end: toMinutes(endTime) })
  // The opening hours may have changed since the schedule was loaded.
  const isRefused = modal.failure instanceof ApiError && areHoursAlone(modal.failure.reasons)
  const isOutside: boolean = hours !== undefined || isRefused
  // Shown until another pod or time is chosen.
  const free = refused?.time === toTimeKey(row, startTime, endTime) ? keepOnDay(refused.free, row, rows) : undefined
  const more = pathOf(PAGE.corporateBooking, {
    pod: row.podId,
    date: row.date,
    start: startTime,
    end: endTime,
    purpose,
    customer: bookedFor.kind === 'customer' ? bookedFor.customer?.value : undefined,
    company: bookedFor.kind === 'company' ? bookedFor.company?.value : undefined,
  })
  const isCarried = bookedFor.kind !== 'newCustomer' && overrideReason === ''

  function findMissing(): string | undefined {
    if (!mayOverride) return hours === undefined ? undefined : 'Choose a time within the opening hours.'
    return isOutside && overrideReason.trim() === '' ? REASON_MISSING : undefined
  }

  return (
    <FormModal
      title="New booking"
      submitLabel={isOutside && mayOverride ? 'Book anyway' : 'Book'}
      cannotSubmit={findMissing()}
      {...modal}
    >
      <p className={styles.what}>
        <strong>{row.title}</strong>, {row.locationName}
        <br />
        {toDateText(row.date)}
      </p>
      <TimeFields value={values} onChange={form.setValues} errors={form.errors} />
      {free && (
        <FreeInstead
          free={free}
          date={row.date}
          onTime={(time) => {
            const [from, to] = toMarks(time)
            form.setValues({ startTime: from, endTime: to })
          }}
          onPod={({ podId }) => setChosen(findRow(rows, podId, row.date) ?? row)}
        />
      )}
      <output className={styles.hours}>
        {isOutside && `${hours ?? 'Outside opening hours'}.`}
        {isOutside && !mayOverride && ' Only people who may edit Booking can book then. Choose another time.'}
      </output>
      {isOutside && mayOverride && <OverrideReason {...form.getInputProps('overrideReason')} />}
      <BookedForFields
        value={bookedFor}
        onChange={(value) => {
          form.clearErrors()
          form.setFieldValue('bookedFor', value)
        }}
        errors={form.errors}
      />
      <NativeSelect label="Purpose" required options={purposeOptions} {...form.getInputProps('bookingPurpose')} />
      <p className={styles.what} aria-live="polite">
        {bookedFor.kind === 'me'
          ? 'Staff’s own bookings are not paid for.'
          : toMinutes(endTime) > toMinutes(startTime) &&
            toOwedText(bookedFor, toMoneyText(toPriceIn(row, startTime, endTime)))}
      </p>
      <Link
        href={more}
        className={styles.link}
        onClick={(event) => {
          if (!isCarried || !isPlainClick(event)) return
          event.preventDefault()
          goTo(more, { isSaved: true })
        }}
      >
        With a note, or every week, on Corporate Booking
      </Link>
    </FormModal>
  )
}

function toTimeKey({ key }: Row, startTime: string, endTime: string): string {
  return `${key} ${startTime} ${endTime}`
}

/** Leaves what the dialog can choose: times of its day, and pods of the schedule. */
function keepOnDay({ times, pods }: Free, { date }: Row, rows: readonly Row[]): Free {
  return {
    times: times.filter(({ startTime }) => startTime.startsWith(date)),
    pods: pods.filter(({ podId }) => findRow(rows, podId, date)),
  }
}

function findRow(rows: readonly Row[], podId: string, date: string): Row | undefined {
  return rows.find((row) => row.podId === podId && row.date === date)
}

function toPriceIn({ rate, discountMinutes }: Row, startTime: string, endTime: string): number {
  return toPrice(toMinutes(endTime) - toMinutes(startTime), rate, discountMinutes)
}
