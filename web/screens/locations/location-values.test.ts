import { expect, test } from 'vitest'
import { checkBody, loadSchemas } from '#web/api/check-body.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { addLabels, editLabels, findCoordinateErrors, toLocationBody, toLocationValues } from './location-values.ts'

// Loaded before the tests, because on a busy machine it takes seconds.
await loadSchemas()

const complete = { ...toLocationValues(undefined), name: 'Loop', Street: 'Loop St 1', city: 'Cape Town', state: 'WC' }
const values = { ...complete, zip: '8001', country_code: 'ZA' }

/** Returns the errors that the form shows when it is submitted. */
async function findErrors(typed: ReturnType<typeof toLocationValues>, labels: typeof addLabels) {
  try {
    await checkBody('locations', 'create', toLocationBody(typed), findCoordinateErrors(typed))
    return {}
  } catch (error) {
    return toFormErrors(error, Object.keys(typed), labels).fields
  }
}

test('a new location starts with empty texts and the default coordinates', () => {
  const { latitude, longitude, ...texts } = toLocationValues(undefined)
  expect(new Set(Object.values(texts))).toEqual(new Set(['']))
  expect([latitude, longitude]).toEqual([15, 16])
})

test('a country that is not in the list must be chosen again', async () => {
  const location = { ...values, latitude: 1, longitude: 2, _id: '1', isBlocked: false, version: 1 }
  expect(toLocationValues(location)).toMatchObject({ country_code: 'ZA' })
  for (const country_code of ['Narnia', 'ZZ', 'XX', 'za']) {
    const read = toLocationValues({ ...location, country_code })
    expect(await findErrors(read, editLabels)).toEqual({ country_code: 'Country Code is required' })
  }
})

test('a missing field is named by its label in the form', async () => {
  expect(await findErrors({ ...values, state: ' ', country_code: '' }, addLabels)).toEqual({
    state: 'Province is required',
    country_code: 'Country is required',
  })
  expect(await findErrors({ ...values, state: ' ', country_code: '' }, editLabels)).toEqual({
    state: 'State is required',
    country_code: 'Country Code is required',
  })
})

test('coordinates may be empty but not off the globe', async () => {
  expect(await findErrors({ ...values, latitude: '', longitude: '' }, addLabels)).toEqual({})
  expect(await findErrors({ ...values, latitude: 90.1, longitude: '-181' }, addLabels)).toEqual({
    latitude: 'latitude must be between -90 and 90',
    longitude: 'longitude must be between -180 and 180',
  })
})

test('an empty coordinate is not sent', () => {
  expect(toLocationBody({ ...values, latitude: '', longitude: 18.4 })).not.toHaveProperty('latitude')
  expect(toLocationBody({ ...values, latitude: 0, longitude: '' })).toMatchObject({ latitude: 0 })
})
