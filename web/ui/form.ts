import { type UseFormInput, useForm as useLibraryForm } from '@mantine/form'

/**
 * The state of a form: values, dirtiness, errors. Screens take it from here, so that the library stays behind ui/.
 * Which fields were visited is not kept: nobody asks, and every move of the focus would draw the whole form anew.
 */
export function useForm<Values extends Record<string, unknown>>(options: UseFormInput<Values>) {
  return useLibraryForm<Values>({ ...options, touchTrigger: 'focus', enhanceGetInputProps: withoutVisits })
}

const withoutVisits = () => ({ onFocus: undefined, onBlur: undefined })
