import { useState } from 'react'
import { CheckboxGroup } from '../checkbox-group/checkbox-group.tsx'
import { DateField } from '../date-field/date-field.tsx'
import { PasswordField, TextAreaField, TextField } from '../field/fields.tsx'
import { FieldRow } from '../form-modal/form-modal.tsx'
import { NativeSelect } from '../native-select/native-select.tsx'
import { NumberField } from '../number-field/number-field.tsx'
import { Panel } from '../panel/panel.tsx'
import { SkeletonFields } from '../skeleton/skeleton.tsx'
import { SwitchField } from '../switch-field/switch-field.tsx'
import styles from './gallery.module.css'

const options = [
  { value: 'wifi', label: 'Wi-Fi' },
  { value: 'screen', label: 'Screen' },
  { value: 'coffee', label: 'Coffee machine' },
  { value: 'desk', label: 'Standing desk', disabled: true },
]

function SomeFields() {
  const [select, setSelect] = useState('')
  const [native, setNative] = useState('wifi')
  const [amount, setAmount] = useState<string | number>(2.5)
  return (
    <div className={styles.stack}>
      <NativeSelect
        label="Location"
        placeholder="Select a location"
        options={options}
        value={select}
        onChange={setSelect}
        required
      />
      <FieldRow>
        <NumberField
          label="Rate per minute"
          value={amount}
          onChange={setAmount}
          min={0}
          decimalScale={2}
          suffix=" ZAR"
        />
        <NativeSelect label="Purpose" options={options} value={native} onChange={setNative} />
      </FieldRow>
      <SkeletonFields count={1} />
    </div>
  )
}

function Choices() {
  const [on, setOn] = useState(true)
  const [held, setHeld] = useState(['1', '3'])
  return (
    <div className={styles.stack}>
      <SwitchField label="Open for bookings" checked={on} onChange={setOn} hint="Blocked locations take none." />
      <SwitchField label="Cannot be changed" checked={false} onChange={setOn} disabled />
      <CheckboxGroup
        label="Page access"
        options={['Dashboard', 'Features', 'Pods', 'Transactions', 'Users'].map((label, index) => ({
          value: String(index + 1),
          label,
        }))}
        value={held}
        onChange={setHeld}
        error={held.length === 0 ? 'Choose at least one page' : undefined}
      />
    </div>
  )
}

export function FieldsGallery() {
  const [text, setText] = useState('')
  return (
    <div className={styles.columns}>
      <Panel title="Fields">
        <div className={styles.stack}>
          <TextField label="Title" required placeholder="Seaside pod" value={text} onChange={setText} />
          <TextField
            label="Host email"
            type="email"
            value="host@"
            onChange={setText}
            error="This is no email address"
          />
          <PasswordField label="Password" value={text} onChange={setText} autoComplete="new-password" />
          <FieldRow>
            <TextField label="City" value="Cape Town" onChange={setText} />
            <TextField label="Zip" value="8001" onChange={setText} disabled />
          </FieldRow>
        </div>
      </Panel>
      <Panel title="More fields">
        <div className={styles.stack}>
          <TextAreaField label="Description" value={text} onChange={setText} hint="What a customer reads first." />
          <DateField label="Date" value="2026-11-21" getToday={() => '2026-11-21'} onChange={setText} />
        </div>
      </Panel>
      <Panel title="Selects">
        <SomeFields />
      </Panel>
      <Panel title="Choices">
        <Choices />
      </Panel>
    </div>
  )
}
