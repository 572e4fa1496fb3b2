import { findSpanProblem, type HourSpan, toSpansText } from '#contract/opening-hours.ts'
import { closingMark, marks, toClockLabel } from '#contract/slots.ts'
import { IconAction } from '#web/ui/button/button.tsx'
import { IconPlus, IconX } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import styles from './opening-hours.module.css'

export const openOptions = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
]

export const withSpan = (spans: HourSpan[]) => (spans.length > 0 ? spans : [{ opens: '08:00', closes: '18:00' }])

const opensOptions = marks.slice(0, -1).map(toOption)
const closesOptions = marks.slice(1).map(toOption)

function toOption(mark: string) {
  return { value: mark, label: toClockLabel(mark) }
}

type SpanFieldsProps = { name: string; spans: HourSpan[]; onChange: (spans: HourSpan[]) => void }

export function SpanFields({ name, spans, onChange }: SpanFieldsProps) {
  const change = (index: number, part: Partial<HourSpan>) =>
    onChange(spans.map((span, place) => (place === index ? { ...span, ...part } : span)))
  const last = spans.at(-1)
  const problem = findSpanProblem(spans)
  const errorOf = (index: number, part: keyof HourSpan) =>
    problem?.index === index && problem.part === part ? problem.message : undefined
  return (
    <div className={styles.spans}>
      {spans.map(({ opens, closes }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- spans have no other name, and hold no state
        <div key={index} className={styles.span}>
          <NativeSelect
            label={`${name} opens`}
            hideLabel
            size="small"
            value={opens}
            options={opensOptions}
            error={errorOf(index, 'opens')}
            onChange={(mark) => change(index, { opens: mark })}
          />
          <span aria-hidden>–</span>
          <NativeSelect
            label={`${name} closes`}
            hideLabel
            size="small"
            value={closes}
            options={closesOptions}
            error={errorOf(index, 'closes')}
            onChange={(mark) => change(index, { closes: mark })}
          />
          {spans.length > 1 && (
            <IconAction
              size="small"
              label={`Remove ${toSpansText([{ opens, closes }])} of ${name}`}
              icon={<IconX />}
              onClick={() => onChange(spans.filter((_, place) => place !== index))}
            />
          )}
          {index === spans.length - 1 && last && last.closes < closingMark && (
            <IconAction
              size="small"
              label={`Add hours to ${name}`}
              data-tooltip="Add hours"
              icon={<IconPlus />}
              onClick={() => onChange([...spans, { opens: last.closes, closes: closingMark }])}
            />
          )}
        </div>
      ))}
    </div>
  )
}
