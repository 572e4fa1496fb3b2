import { useId } from 'react'
import { IconDeviceDesktop, IconMoon, IconSun } from '../icons/icons.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './color-scheme-toggle.module.css'
import { type ColorScheme, useColorScheme } from './color-scheme.ts'

const choices: { value: ColorScheme; label: string; Icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'auto', label: 'As the system', Icon: IconDeviceDesktop },
]

/** Switches between light, dark and the system's colour scheme; remembered in the browser. */
export function ColorSchemeToggle() {
  const [colorScheme, setColorScheme] = useColorScheme()
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend>
        <VisuallyHidden>Colours</VisuallyHidden>
      </legend>
      {choices.map(({ value, label, Icon }) => (
        <label key={value} className={styles.choice} data-tooltip={label}>
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={14} />
        </label>
      ))}
    </fieldset>
  )
}
