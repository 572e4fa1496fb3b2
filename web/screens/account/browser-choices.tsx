import type { CsvSeparator } from '#contract/fields.ts'
import { csvSeparatorChoice, searchKeyChoice } from '#web/lib/browser-choice.ts'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import styles from './account-screen.module.css'

const separators: readonly { value: CsvSeparator; label: string }[] = [
  { value: 'comma', label: 'Commas' },
  { value: 'semicolon', label: 'Semicolons, with decimal commas' },
]

/** What people choose for the browser that they use, not for their account. */
export function BrowserChoices() {
  return (
    <>
      <Panel title="Downloads">
        <div className={styles.choice}>
          <NativeSelect
            label="Columns are separated by"
            options={separators}
            value={csvSeparatorChoice.useValue()}
            onChange={(value) => csvSeparatorChoice.choose(value === 'semicolon' ? 'semicolon' : 'comma')}
            hint="Excel with South African settings needs semicolons: without them, a file opens as a single column. Kept in this browser."
          />
        </div>
      </Panel>
      <Panel title="Keyboard">
        <div className={styles.choice}>
          <SwitchField
            label="The key / goes to the search"
            checked={searchKeyChoice.useValue() === 'on'}
            onChange={(isOn) => searchKeyChoice.choose(isOn ? 'on' : 'off')}
            hint="Switch it off if speech input or other software presses keys for you. Ctrl-K still finds everything. Kept in this browser."
          />
        </div>
      </Panel>
    </>
  )
}
