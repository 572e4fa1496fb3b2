import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { toFormErrors } from './form-errors.ts'

function refusal(...fields: { path: string; message: string }[]) {
  return new ApiError({ status: 400, code: 'invalid_input', message: 'Check the form', fields })
}

test('shows the first error of each field beside it, and errors of unknown fields in the summary', () => {
  const error = refusal(
    { path: 'images.0.url', message: 'Each image needs its url' },
    { path: 'images.1.url', message: 'Another' },
    { path: 'surprise', message: 'Not on this form' },
  )
  expect(toFormErrors(error, ['images', 'title'])).toEqual({
    fields: { images: 'Each image needs its url' },
    summary: 'Not on this form',
  })
})

test('shows no summary when every error has a field, and only a summary when no field is named', () => {
  expect(toFormErrors(refusal({ path: 'title', message: 'Too long' }), ['title']).summary).toBeUndefined()
  expect(toFormErrors(refusal(), ['title'])).toEqual({ fields: {}, summary: 'Check the form' })
  expect(toFormErrors('no error at all', ['title']).summary).toMatch(/try again/)
})

test('begins a message with what the form calls the field, which the message may already do', () => {
  const error = refusal(
    { path: 'state', message: 'state is required' },
    { path: 'name', message: 'Company name is required' },
  )
  const labels = { state: 'Province', name: 'Company name' }
  expect(toFormErrors(error, ['state', 'name'], labels).fields).toEqual({
    state: 'Province is required',
    name: 'Company name is required',
  })
})
