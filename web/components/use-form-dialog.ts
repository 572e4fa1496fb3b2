import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { Editor } from '#contract/live.ts'
import type { LiveEntity } from '#contract/live-entities.ts'
import { loadSchemas } from '#web/api/check-body.ts'
import { useIsRetrying } from '#web/api/connection.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { useEditors } from '#web/api/live.ts'
import { useMay } from '#web/api/may.ts'
import type { ApiResponse, Domain } from '#web/api/request-types.ts'
import { useForm } from '#web/ui/form.ts'
import { type Problem, toProblem } from '#web/ui/problem.ts'
import {
  type Conflict,
  type EditedRecord,
  findConflict,
  isChosen,
  isConflict,
  toComparedFields,
  toMerged,
} from './record-conflict.ts'
import { showChanged } from './undo.ts'

type FormDialogOptions<Values, Data, Compared, Current extends { version: number }> = {
  initialValues: Values
  /** Of a form that edits a record; its values, and what `others` adds to them, are compared. */
  edited?: EditedRecord<Compared, Current> | undefined
  /** Sends the values, by `submit` of check-body.ts, with the version that they were made from. */
  save: (values: Values, version: number | undefined) => Promise<ApiResponse<Data>>
  /** Said once it is saved; without it, what the server says. */
  success?: string
  /** Waited for before the dialog closes. */
  onSaved?: () => unknown
  /** What is edited: others who have it open see so, and are seen. Those who may only look at it change nothing. */
  edits?: { entity: LiveEntity; id: string | undefined }
  /** What is asked for again once the dialog has closed. */
  domain?: Domain
  /** Fields of the body that the values do not hold. */
  otherFields?: readonly string[]
  /** Where the form names a field otherwise than the wire does. */
  labels?: Partial<Record<string, string>>
  /** What failed, above the reason. */
  failureTitle?: string
  onClose: () => void
}

/**
 * The form of a dialog from its first values to its toast: `form.getInputProps` for its fields, `modal` for its
 * FormModal. An error of the contract or the server stands beside its field and keeps what was typed. Where somebody else
 * has changed the record meanwhile, what differs is compared in place of the fields.
 */
export function useFormDialog<
  Values extends Record<string, unknown>,
  Data extends object,
  Compared extends Values,
  Current extends { version: number },
>(options: FormDialogOptions<Values, Data, Compared, Current>) {
  const { initialValues, success, onSaved, domain, onClose } = options
  // The record that was typed over, whatever the list has become.
  const [record, setRecord] = useState(options.edited?.record)
  // Of a form that is opened before its record is there.
  if (record === undefined && options.edited) setRecord(options.edited.record)
  const edited = options.edited && record && { ...options.edited, record }
  const [conflict, setConflict] = useState<Conflict<Compared, Current>>()
  const queryClient = useQueryClient()
  const form = useForm({ mode: 'controlled', initialValues })
  const toErrors = (error: Error) =>
    toFormErrors(error, [...Object.keys(initialValues), ...(options.otherFields ?? [])], options.labels)

  const { edits } = options
  const may = useMay()
  // Whether a booking may be changed depends on whose it is, and is asked for where its forms are opened.
  const readOnly = edits !== undefined && edits.entity !== 'booking' && !may.changeRecords(edits.entity)
  const editors = useEditors(readOnly ? undefined : edits?.entity, edits?.id)
  const isRetrying = useIsRetrying()

  // Loaded while the form is filled in, so that sending it does not wait for the schemas.
  useEffect(() => void loadSchemas(), [])

  const save = useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number | undefined }) => options.save(values, version),
    onSuccess: async (response) => {
      const { data } = response
      await onSaved?.()
      showChanged(success ?? ('message' in data ? String(data.message) : ''), response)
      onClose()
      if (domain) await queryClient.invalidateQueries({ queryKey: [domain] })
    },
    onError: (error) => {
      // Both together are all that is compared.
      const yours = { ...form.getValues(), ...edited?.others?.read() } as Compared
      const found = edited && findConflict(error, edited, yours)
      if (found) return showConflict(found)
      const { fields } = toErrors(error)
      form.setErrors(fields)
      if (Object.keys(fields).length > 0) setConflict(undefined)
    },
  })

  function showConflict(found: Conflict<Compared, Current>) {
    setRecord(found.record)
    // They have done the same, or changed what the form does not show, such as whether it is blocked.
    if (Object.values(found.choices).every((choice) => choice === 'yours')) saveMerged(found)
    else setConflict(found)
  }

  function saveMerged(resolved: Conflict<Compared, Current>) {
    const merged = toMerged(resolved)
    edited?.others?.write(merged)
    const names = Object.keys(initialValues)
    // The values' own fields of what was compared.
    const values = Object.fromEntries(Object.entries(merged).filter(([name]) => names.includes(name))) as Values
    form.setValues(values)
    save.mutate({ values, version: resolved.record.version })
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (save.isPending) return
    form.clearErrors()
    if (!conflict) save.mutate({ values: form.getValues(), version: edited?.record.version })
    else if (isChosen(conflict)) saveMerged(conflict)
    else setConflict({ ...conflict, isAsked: true })
  }

  const problem = save.error && toModalProblem(save.error, toErrors(save.error).summary, options.failureTitle)

  return {
    form,
    modal: {
      readOnly,
      dirty: form.isDirty(),
      pending: save.isPending,
      notice: readOnly
        ? 'You can look at this, and not change it.'
        : save.isPending && isRetrying
          ? CONNECTION_LOST
          : toEditorsText(editors),
      failure: save.error,
      problem: conflict && isConflict(save.error) ? null : problem,
      comparison: conflict &&
        edited && {
          fields: toComparedFields(conflict, edited),
          onChoose: (name: string, choice: 'yours' | 'theirs') =>
            setConflict({ ...conflict, choices: { ...conflict.choices, [name]: choice } }),
        },
      onSubmit: submit,
      onClose,
    },
  }
}

/** Said while a request is sent again. */
export const CONNECTION_LOST = 'Connection lost. Trying again…'

const names = new Intl.ListFormat('en')

function toEditorsText(editors: readonly Editor[]): string | undefined {
  if (editors.length === 0) return undefined
  return `${names.format(editors.map(({ name }) => name))} ${editors.length === 1 ? 'is' : 'are'} editing`
}

/** Errors that stand beside their fields need no words above the form, unless it has a title for what failed. */
function toModalProblem(error: Error, summary: string | undefined, title: string | undefined): Problem | null {
  if (title !== undefined) {
    return { ...toProblem(error), title, message: summary ?? 'Please check the fields marked below.' }
  }
  return summary === undefined ? null : { ...toProblem(error), message: summary }
}
