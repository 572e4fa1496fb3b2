import { featureIcons } from '#contract/feature-icons.ts'
import { FeatureIcon, isDrawn } from '#web/components/feature-icon.tsx'
import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './icon-field.module.css'

/** The name of an icon, typed freely or chosen from those that the portal can draw. Typing filters them. */
export function IconField({ value = '', onChange, ...rest }: Omit<FieldProps<string>, 'label' | 'hint'>) {
  const name = value.trim()
  const words = name.toLowerCase()
  const fitting = featureIcons.filter(({ key, label }) => key.includes(words) || label.toLowerCase().includes(words))
  const shown = isDrawn(name) || fitting.length === 0 ? featureIcons : fitting

  return (
    <div className={styles.field}>
      <TextField
        {...rest}
        label="Icon Name"
        value={value}
        onChange={(text) => onChange?.(text)}
        spellCheck={false}
        autoComplete="off"
        leftIcon={<FeatureIcon name={name} />}
        hint={
          name !== '' && !isDrawn(name)
            ? 'There is no icon of this name, so a dot is shown.'
            : 'Choose one below or type a name.'
        }
      />
      <fieldset className={styles.choices}>
        <legend>
          <VisuallyHidden>Icons</VisuallyHidden>
        </legend>
        {shown.map(({ key, label }) => (
          <label key={key} className={styles.choice} data-tooltip={label}>
            <input type="radio" name="known-icon" value={key} checked={name === key} onChange={() => onChange?.(key)} />
            <FeatureIcon name={key} size={20} />
            <VisuallyHidden>{label}</VisuallyHidden>
          </label>
        ))}
      </fieldset>
    </div>
  )
}
