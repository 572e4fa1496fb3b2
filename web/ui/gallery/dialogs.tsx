import { useState } from 'react'
import { Button } from '../button/button.tsx'
import { ConfirmDialog, MessageDialog } from '../confirm-dialog/confirm-dialog.tsx'
import { TextAreaField, TextField } from '../field/fields.tsx'
import { FieldRow, FormModal } from '../form-modal/form-modal.tsx'
import { useForm } from '../form.ts'
import { NativeSelect } from '../native-select/native-select.tsx'
import { Panel } from '../panel/panel.tsx'
import styles from './gallery.module.css'

type Open = 'form' | 'confirm' | 'failing' | 'message' | null

function PodForm({ onClose }: { onClose: () => void }) {
  const form = useForm({
    mode: 'controlled',
    initialValues: { title: '', city: 'Cape Town', zip: '', location: '', text: '' },
    validate: { title: (value) => (value ? null : 'Title is required') },
  })
  return (
    <FormModal
      title="Create pod"
      submitLabel="Create"
      dirty={form.isDirty()}
      onSubmit={form.onSubmit(onClose)}
      onClose={onClose}
      problem={{ message: 'Error creating pod', requestId: 'req-7f3a91c2' }}
    >
      <TextField label="Title" required {...form.getInputProps('title')} />
      <FieldRow>
        <TextField label="City" {...form.getInputProps('city')} />
        <TextField label="Zip" {...form.getInputProps('zip')} />
      </FieldRow>
      <NativeSelect
        label="Location"
        options={Array.from({ length: 40 }, (_, index) => ({ value: String(index), label: `Location ${index + 1}` }))}
        {...form.getInputProps('location')}
      />
      {['Description', 'Booking requirements', 'Availability', 'Cancellation policy', 'Safety and property'].map(
        (label) => (
          <TextAreaField key={label} label={label} required {...form.getInputProps('text')} />
        ),
      )}
    </FormModal>
  )
}

export function DialogsGallery() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <Panel title="Dialogs">
      <div className={styles.row}>
        <Button onClick={() => setOpen('form')}>Form</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => setOpen('failing')}>Confirm that fails</Button>
        <Button onClick={() => setOpen('message')}>Message</Button>
      </div>
      {open === 'form' && <PodForm onClose={close} />}
      {(open === 'confirm' || open === 'failing') && (
        <ConfirmDialog
          title="Delete location"
          confirmLabel="Yes"
          cancelLabel="No"
          danger
          consequence="Its 3 pods lose their place. Bookings keep its name."
          onConfirm={async () => {
            await new Promise((resolve) => setTimeout(resolve, 600))
            if (open === 'failing') throw new Error('This location has 3 pods and cannot be deleted.')
          }}
          onClose={close}
        >
          Are you sure you want to delete this location?
        </ConfirmDialog>
      )}
      {open === 'message' && (
        <MessageDialog title="Pod" onClose={close}>
          Pod blocked successfully
        </MessageDialog>
      )}
    </Panel>
  )
}
