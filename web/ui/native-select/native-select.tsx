import { memo } from 'react'
import { classNames } from '../class-names.ts'
import { FieldFrame, type FieldProps, useField } from '../field/field-frame.tsx'
import { IconSelector } from '../icons/icons.tsx'
import styles from './native-select.module.css'

type SelectOption = { value: string; label: string; disabled?: boolean }

type NativeSelectProps = FieldProps<string> & {
  options: readonly SelectOption[]
  size?: 'small' | 'medium'
}

/** Field to choose one of a few fixed options in the browser's own list. With a `placeholder` it starts empty (''). */
export function NativeSelect(props: NativeSelectProps) {
  const { options, onChange, size = 'medium', placeholder, ...field } = props
  const { frame, input } = useField(field)
  return (
    <FieldFrame {...frame} end={<IconSelector size={16} />}>
      <select
        {...input}
        // Chromium calls a required field invalid while its placeholder is chosen, before anything was sent.
        aria-invalid={input['aria-invalid'] ?? false}
        className={classNames(input.className, styles.select)}
        data-size={size}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        <Options options={options} />
      </select>
    </FieldFrame>
  )
}

/** Options that stay the same are not compared again with each letter typed elsewhere: a form may have thousands. */
const Options = memo(function Options({ options }: Pick<NativeSelectProps, 'options'>) {
  return options.map((option) => (
    <option key={option.value} value={option.value} disabled={option.disabled}>
      {option.label}
    </option>
  ))
})
