import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect } from 'react'
import { loadSchemas } from '#web/api/check-body.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import type { ApiResponse, Domain } from '#web/api/request-types.ts'
import { useForm } from '#web/ui/form.ts'
import { type Problem, toProblem } from '#web/ui/problem.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

type FormDialogOptions<Values, Data> = {
  initialValues: Values
  /** Sends the values, by `submit` of check-body.ts. */
  save: (values: Values) => Promise<ApiResponse<Data>>
  /** Said once it is saved; without it, what the server says. */
  success?: string
  /** Waited for before the dialog closes. */
  onSaved?: () => unknown
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
 * FormModal. An error of the contract or the server stands beside its field and keeps what was typed.
 */
export function useFormDialog<Values extends Record<string, unknown>, Data extends object>(
  options: FormDialogOptions<Values, Data>,
) {
  const { initialValues, success, onSaved, domain, onClose } = options
  const queryClient = useQueryClient()
  const form = useForm({ mode: 'controlled', initialValues })
  const toErrors = (error: Error) =>
    toFormErrors(error, [...Object.keys(initialValues), ...(options.otherFields ?? [])], options.labels)

  // Loaded while the form is filled in, so that sending it does not wait for the schemas.
  useEffect(() => void loadSchemas(), [])

  const save = useMutation({
    mutationFn: options.save,
    onSuccess: async ({ data }) => {
      await onSaved?.()
      showSuccess(success ?? ('message' in data ? String(data.message) : ''))
      onClose()
      if (domain) await queryClient.invalidateQueries({ queryKey: [domain] })
    },
    onError: (error) => form.setErrors(toErrors(error).fields),
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (save.isPending) return
    form.clearErrors()
    save.mutate(form.getValues())
  }

  return {
    form,
    modal: {
      dirty: form.isDirty(),
      pending: save.isPending,
      failure: save.error,
      problem: save.error && toModalProblem(save.error, toErrors(save.error).summary, options.failureTitle),
      onSubmit: submit,
      onClose,
    },
  }
}

/** Errors that stand beside their fields need no words above the form, unless it has a title for what failed. */
function toModalProblem(error: Error, summary: string | undefined, title: string | undefined): Problem | null {
  if (title !== undefined) {
    return { ...toProblem(error), title, message: summary ?? 'Please check the fields marked below.' }
  }
  return summary === undefined ? null : { ...toProblem(error), message: summary }
}
