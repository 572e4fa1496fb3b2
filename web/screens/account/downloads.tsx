import { useState } from 'react'
import type { CsvSeparator } from '#contract/fields.ts'
import { chooseCsvSeparator, readCsvSeparator } from '#web/api/csv-separator.ts'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import styles from './account-screen.module.css'

const options: readonly { value: CsvSeparator; label: string }[] = [
  { value: 'comma', label: 'Commas' },
  { value: 'semicolon', label: 'Semicolons, with decimal commas' },
]

/** How files are written for this machine's spreadsheets (rules §13.5). */
export function Downloads() {
  const [separator, setSeparator] = useState(readCsvSeparator)
  function choose(value: string) {
    const chosen = value === 'semicolon' ? 'semicolon' : 'comma'
    chooseCsvSeparator(chosen)
    setSeparator(chosen)
  }
  return (
    <Panel title="Downloads">
      <div className={styles.choice}>
        <NativeSelect
          label="Columns are separated by"
          options={options}
          value={separator}
          onChange={choose}
          hint="Excel with South African settings needs semicolons: without them, a file opens as a single column. Kept in this browser."
        />
      </div>
    </Panel>
  )
}
