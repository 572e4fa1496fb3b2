import type { ReactNode } from 'react'
import { marks, toClockLabel, toMinutes } from '#contract/slots.ts'
import { apiQuery } from '#web/api/query.ts'
import { toPodOptions } from '#web/components/pod-options.ts'
import { useLookup } from '#web/components/use-lookup.ts'
import { FieldRow } from '#web/ui/form-modal/form-modal.tsx'
import { LookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'

const toOption = (mark: string) => ({ value: mark, label: toClockLabel(mark) })

/** A chosen pod, or none. `podLocation` tells apart pods that have the same title. */
export type ChosenPod = { podId: string | null; podTitle: string; podLocation: string }

type PodFieldProps = {
  value: ChosenPod
  disabled?: boolean
  onChange: (pod: ChosenPod) => void
  error: ReactNode
}

/** Field for the pod that a booking moves to, searched by title. */
export function PodField({ value, disabled = false, onChange, error }: PodFieldProps) {
  const { podId, podTitle, podLocation } = value
  const lookup = useLookup({
    toQuery: (page) => apiQuery('pods', 'list', { query: { ...page, sort: 'title', status: 'active' } }),
    toOptions: toPodOptions,
    nothingFound: 'No pod found',
  })
  return (
    <LookupField
      label="Pod"
      required
      disabled={disabled}
      selected={podId === null ? undefined : { value: podId, label: podTitle, detail: podLocation }}
      lookup={lookup}
      value={podId}
      onChange={(chosen) => {
        const pod = lookup.options.find(({ value }) => value === chosen)
        onChange({ podId: chosen, podTitle: pod?.label ?? podTitle, podLocation: pod?.detail ?? podLocation })
      }}
      error={error}
    />
  )
}

/** Both are marks: '09:15'. */
export type ChosenTimes = { startTime: string; endTime: string }

type TimeFieldsProps = {
  value: ChosenTimes
  /** Disables the start, which a running booking keeps. */
  keepsStart?: boolean
  onChange: (times: ChosenTimes) => void
  errors: Readonly<Record<string, ReactNode>>
}

/** Fields for start and end. Changing the start moves the end along, so that a move takes one choice. */
export function TimeFields({ value, keepsStart = false, onChange, errors }: TimeFieldsProps) {
  const { startTime, endTime } = value
  function setStart(start: string) {
    const length = toMinutes(endTime) - toMinutes(startTime)
    onChange({ startTime: start, endTime: marks[marks.indexOf(start) + length / 15] ?? endTime })
  }
  return (
    <FieldRow>
      <NativeSelect
        label="Start"
        data-autofocus={!keepsStart || undefined}
        disabled={keepsStart}
        options={marks.slice(0, -1).map(toOption)}
        value={startTime}
        onChange={setStart}
        error={errors.startTime}
      />
      <NativeSelect
        label="End"
        data-autofocus={keepsStart || undefined}
        options={marks.slice(1).map(toOption)}
        value={endTime}
        onChange={(end) => onChange({ startTime, endTime: end })}
        error={errors.endTime}
      />
    </FieldRow>
  )
}
