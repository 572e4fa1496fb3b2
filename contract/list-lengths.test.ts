import { expect, it } from 'vitest'
import { z } from 'zod/mini'
import { endpoints } from './endpoints.ts'

const { closures, features, hours, pods, series } = endpoints

/** Lists of bodies, whose entries are not looked at when there are too many: each would have errors of its own. */
const lists: [path: string, body: z.core.$ZodType, toBody: (list: object[]) => unknown][] = [
  ['podIds', closures.create.body, (podIds) => ({ podIds })],
  ['decisions', closures.update.body, (decisions) => ({ decisions })],
  ['', features.reorder.body, (list) => list],
  ['week', hours.update.body, (week) => ({ week })],
  ['week.0.spans', hours.update.body, (spans) => ({ week: [{ spans }] })],
  ['exceptions', hours.update.body, (exceptions) => ({ exceptions })],
  ['images', pods.create.body, (images) => ({ images })],
  ['choices', series.create.body, (choices) => ({ choices })],
  ['repeats.weekdays', series.preview.body, (weekdays) => ({ repeats: { weekdays } })],
  ['prices', series.update.body, (prices) => ({ prices })],
]

it.each(lists)('a list that is far too long is one error: %s', (path, body, toBody) => {
  const tooLong = Array.from({ length: 200_000 }, () => ({}))
  const { error } = z.safeParse(body, toBody(tooLong))
  expect(
    error?.issues.filter((issue) => issue.path.join('.').startsWith(path) && issue.code === 'too_big'),
  ).toHaveLength(1)
})
