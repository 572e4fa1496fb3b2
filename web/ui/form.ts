/** The state of a form: values, dirtiness, errors. Screens take it from here, so that the library stays behind ui/. */
export { useForm } from '@mantine/form'

type ServerProblem = { path: string; message: string }

/** The API's `errors` (path, message) as the errors of a form: the first message of each field. */
export function toFieldErrors(problems: readonly ServerProblem[] | undefined): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const problem of problems ?? []) errors[problem.path] ??= problem.message
  return errors
}
