import { useQueryClient } from '@tanstack/react-query'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { useAffected } from './use-affected.tsx'

/** `location` tells apart pods of the same name. */
export type Blocked = { id: string; name: string } & ({ entity: 'pod'; location: string } | { entity: 'location' })

const said = { pod: 'Pod blocked successfully', location: 'Location blocked successfully' }

/** Closes a pod or location until further notice. Asks for a reason and what becomes of each booking (rules §26.7). */
export function BlockDialog({ of, onClose }: { of: Blocked; onClose: () => void }) {
  const { entity, id, name } = of
  const queryClient = useQueryClient()
  const scope = entity === 'pod' ? { podIds: [id] } : { locationId: id }
  const affected = useAffected(scope)
  const { form, modal } = useFormDialog({
    initialValues: { reason: '' },
    save: async ({ reason }) => ({
      ...(await affected.save((decisions) => submit('closures', 'create', { body: { ...scope, reason, decisions } }))),
      // Of the pod or location: when it is unblocked, the message about that replaces this one.
      recordId: id,
    }),
    success: said[entity],
    onSaved: () =>
      Promise.all([`${entity}s`, 'closures'].map((domain) => queryClient.invalidateQueries({ queryKey: [domain] }))),
    failureTitle: `Error blocking ${name}`,
    onClose,
  })

  return (
    <FormModal
      title={`Block ${name}`}
      width={720}
      submitLabel="Block"
      {...modal}
      progress={modal.pending ? affected.progress : undefined}
      dirty={modal.dirty || affected.isTouched}
      cannotSubmit={affected.missing}
    >
      <p>
        {of.entity === 'pod' ? `The pod at ${of.location} is` : 'All its pods are'} closed from now on, until further
        notice, and can be booked again once {entity === 'pod' ? 'it' : 'the location'} is unblocked.
      </p>
      <TextField
        label="Reason"
        required
        data-autofocus
        placeholder="Lock broken, leak, …"
        {...form.getInputProps('reason')}
      />
      {affected.section}
    </FormModal>
  )
}
