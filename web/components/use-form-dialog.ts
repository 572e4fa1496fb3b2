import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { LiveEntity } from '#contract/audit-entities.ts'
import type { Editor } from '#contract/live.ts'
import { ApiError } from '#web/api/api-error.ts'
import { loadSchemas } from '#web/api/check-body.ts'
import { useIsRetrying } from '#web/api/connection.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { useEditors } from '#web/api/live.ts'
import { useMay } from '#web/api/may.ts'
import type { ApiResponse, Domain } from '#web/api/request-types.ts'
import { isLost } from '#web/api/retry.ts'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { useForm } from '#web/ui/form.ts'
import { type Problem, toProblem } from '#web/ui/problem.ts'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import {
  type Conflict,
  type EditedRecord,
  findConflict,
  isChosen,
  isConflict,
  toComparedFields,
  toMerged,
} from './record-conflict.ts'
import { type More, showChanged } from './undo.ts'

type FormDialogOptions<Values, Data, Compared, Current extends { version: number }> = {
  initialValues: Values
  /** For a form that edits a record: in a conflict its values, and those that `others` adds, are compared. */
  edited?: EditedRecord<Compared, Current> | undefined
  /** Sends the values, using `submit` of check-body.ts, with the version of the record that they are based on. */
  save: (values: Values, version: number | undefined) => Promise<ApiResponse<Data>>
  /** Toast text after saving, which may name what was saved; the server's message by default. */
  success?: string | ((saved: Data) => string)
  /** What the toast says and links to besides. */
  more?: (saved: Data) => More
  /** Awaited before the dialog closes. */
  onSaved?: () => unknown
  /** The record to edit. People who have it open see each other; those who may not change it see a read-only form. */
  edits?: { entity: LiveEntity; id: string | undefined }
  /** The domain whose queries are invalidated once the dialog has closed. */
  domain?: Domain
  /** Fields of the request body that are not among the values. */
  otherFields?: readonly string[]
  /** Labels by field name, which replace the names in error messages. */
  labels?: Partial<Record<string, string>>
  /** Says what failed, above the reason. */
  failureTitle?: string
  onClose: () => void
  /** Called after saving, once the dialog has closed. */
  afterClose?: (saved: Data) => unknown
}

/**
 * Handles the form of a dialog from its initial values to the toast after saving. Returns `form`, whose `getInputProps`
 * is for its fields, and `modal`, the props of its FormModal. An error of the contract or the server is shown beside
 * its field, and what was typed is kept. If somebody else has changed the record meanwhile, a comparison of the
 * differences replaces the fields.
 */
export function useFormDialog<
  Values extends Record<string, unknown>,
  Data extends object,
  Compared extends Values,
  Current extends { version: number },
>(options: FormDialogOptions<Values, Data, Compared, Current>) {
  const { initialValues, success, onSaved, domain, onClose } = options
  // The record that the edits are based on, even if the list has been reloaded since.
  const [record, setRecord] = useState(options.edited?.record)
  // For a form that is opened before its record has loaded.
  if (record === undefined && options.edited) setRecord(options.edited.record)
  const edited = options.edited && record && { ...options.edited, record }
  const [conflict, setConflict] = useState<Conflict<Compared, Current>>()
  const queryClient = useQueryClient()
  const form = useForm({ mode: 'controlled', initialValues })
  const toErrors = (error: Error) =>
    toFormErrors(error, [...Object.keys(initialValues), ...(options.otherFields ?? [])], options.labels)

  const { edits } = options
  const may = useMay()
  // Whether a booking may be changed depends on who made it, which is checked where its forms are opened.
  const readOnly = edits !== undefined && edits.entity !== 'booking' && !may.changeRecords(edits.entity)
  const editors = useEditors(readOnly ? undefined : edits?.entity, edits?.id)
  const isRetrying = useIsRetrying()
  const isShown = useIsShown()

  // Loaded while the form is filled in, so that sending it does not wait for the schemas.
  useEffect(() => void loadSchemas(), [])

  const save = useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number | undefined }) => options.save(values, version),
    onSuccess: async (response) => {
      const { data } = response
      await onSaved?.()
      const text = typeof success === 'function' ? success(data) : success
      showChanged(text ?? ('message' in data ? String(data.message) : ''), response, options.more?.(data))
      onClose()
      options.afterClose?.(data)
      if (domain) await queryClient.invalidateQueries({ queryKey: [domain] })
    },
    onError: (error) => {
      // Only its response may have been lost.
      if (domain && isLost(error)) void queryClient.invalidateQueries({ queryKey: [domain] })
      const { message } = toProblem(error)
      if (!isShown.current) return showFailure(options.failureTitle ? `${options.failureTitle}. ${message}` : message)
      // Together these are all the fields that are compared.
      const yours = { ...form.getValues(), ...edited?.others?.read() } as Compared
      const found = edited && findConflict(error, edited, yours)
      if (found) return showConflict(found)
      const { fields } = toErrors(error)
      form.setErrors(fields)
      // Another reason to refuse what was chosen can only be dealt with in the form.
      const isRefused = error instanceof ApiError && error.status === 409
      if (isRefused || Object.keys(fields).length > 0) setConflict(undefined)
    },
  })

  function showConflict(found: Conflict<Compared, Current>) {
    setRecord(found.record)
    // Nothing to choose: the other person made the same change, or one that the form does not show, such as a block.
    if (Object.values(found.choices).every((choice) => choice === 'yours')) saveMerged(found)
    else setConflict(found)
  }

  function saveMerged(resolved: Conflict<Compared, Current>) {
    const merged = toMerged(resolved)
    edited?.others?.write(merged)
    const names = Object.keys(initialValues)
    // Only those compared fields that are among the form's values.
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

  const { error } = save
  // A 404 of a field is about what was chosen there, not about the record.
  const isGone =
    edits?.id !== undefined && error instanceof ApiError && error.status === 404 && error.fields.length === 0
  const problem =
    save.error && toModalProblem(save.error, isGone ? GONE : toErrors(save.error).summary, options.failureTitle)

  return {
    form,
    modal: {
      readOnly,
      dirty: form.isDirty(),
      pending: save.isPending,
      notice: readOnly
        ? 'You can view this, but not change it.'
        : save.isPending && isRetrying
          ? CONNECTION_LOST
          : toEditorsText(editors),
      failure: save.error,
      problem: conflict && isConflict(save.error) ? null : problem,
      comparison: conflict &&
        edited && {
          version: conflict.record.version,
          fields: toComparedFields(conflict, edited),
          onChoose: (name: string, choice: 'yours' | 'theirs') =>
            setConflict({ ...conflict, choices: { ...conflict.choices, [name]: choice } }),
        },
      onSubmit: submit,
      onClose,
    },
  }
}

const GONE = 'It is no longer here: somebody else may have deleted it. What you typed stays until you close this.'

/** Notice while a request is retried. */
export const CONNECTION_LOST = 'Connection lost. Trying again…'

const names = new Intl.ListFormat('en')

function toEditorsText(editors: readonly Editor[]): string | undefined {
  if (editors.length === 0) return undefined
  return `${names.format(editors.map(({ name }) => name))} ${editors.length === 1 ? 'is' : 'are'} editing`
}

/** Returns null if all errors are shown beside their fields, unless the form has a title for what failed. */
function toModalProblem(error: Error, summary: string | undefined, title: string | undefined): Problem | null {
  if (title !== undefined) {
    return { ...toProblem(error), title, message: summary ?? 'Please check the fields marked below.' }
  }
  return summary === undefined ? null : { ...toProblem(error), message: summary }
}
