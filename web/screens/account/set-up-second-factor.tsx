import type { NewKey } from '#contract/second-factors.ts'
import { submit } from '#web/api/check-body.ts'
import { NewKeyWords } from '#web/components/second-factor/new-key-words.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { refreshAfter } from './refresh-after.ts'

type SetUpProps = { newKey: NewKey; onCodes: (codes: readonly string[]) => void; onClose: () => void }

/** Shows a new key, to be scanned or typed into an app. Confirming it with the first code turns it on. */
export function SetUpSecondFactor({ newKey, onCodes, onClose }: SetUpProps) {
  const { form, modal } = useFormDialog({
    initialValues: { code: '' },
    save: (body) => refreshAfter(submit('secondFactors', 'confirm', { body })),
    onClose,
    afterClose: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  return (
    <FormModal title="Set up a second factor" submitLabel="Turn on" {...modal} dirty={false}>
      <p>Scan this with an authenticator app on your phone, then enter the six digits that it shows.</p>
      <NewKeyWords newKey={newKey} />
      <TextField
        label="Code"
        name="code"
        required
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        hint="You are signed out everywhere else."
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- what is typed into the dialog
        autoFocus
        {...form.getInputProps('code')}
      />
    </FormModal>
  )
}
