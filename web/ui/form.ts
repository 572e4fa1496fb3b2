import { type UseFormInput, useForm as useLibraryForm } from '@mantine/form'

/**
 * Returns the state of a form: values, dirtiness, errors. Screens import it from here, so that only ui/ knows the
 * library. Visited fields are not tracked: nothing needs that, and every focus change would render the whole form.
 */
export function useForm<Values extends Record<string, unknown>>(options: UseFormInput<Values>) {
  return useLibraryForm<Values>({ ...options, touchTrigger: 'focus', enhanceGetInputProps: withoutVisits })
}

const withoutVisits = () => ({ onFocus: undefined, onBlur: undefined })
