/** The state of a form: values, dirtiness, errors. Screens take it from here, so that the library stays behind ui/. */
export { useForm } from '@mantine/form'
