import { expect, test } from 'vitest'
import { ApiError } from '#web/api/api-error.ts'
import { findConflict, isChosen, toComparedFields, toMerged } from './record-conflict.ts'

type Values = { name: string; seats: number | string; tags: string[]; note: string }
type Stored = Values & { version: number }

const opened: Stored = { name: 'Aurora', seats: 2, tags: ['a'], note: '', version: 1 }
const edited = {
  record: opened,
  toValues: ({ version: _version, ...values }: Stored): Values => values,
  labels: { name: 'Name', seats: 'Seats', tags: 'Tags', note: 'Note' },
}

const changed = (current: Stored) => new ApiError({ status: 409, code: 'record_changed', message: '', current })

const compare = (yours: Partial<Values>, theirs: Partial<Values>) => {
  const conflict = findConflict(changed({ ...opened, ...theirs, version: 2 }), edited, { ...opened, ...yours })
  if (!conflict) throw new Error('No conflict')
  return conflict
}

test('a field that one person changed is chosen automatically, and a field that both changed must be chosen', () => {
  const conflict = compare({ name: 'Baobab', note: 'mine' }, { name: 'Cedar', seats: 4 })
  expect(conflict.choices).toEqual({ name: undefined, seats: 'theirs', note: 'yours' })
  expect(isChosen(conflict)).toBe(false)
  const chosen = { ...conflict, choices: { ...conflict.choices, name: 'yours' as const } }
  expect(isChosen(chosen)).toBe(true)
  expect(toMerged(chosen)).toMatchObject({ name: 'Baobab', seats: 4, note: 'mine', tags: ['a'] })
})

test('equal values are not compared, even in lists and in numbers typed as text', () => {
  expect(compare({ tags: ['b'], seats: '4' }, { tags: ['b'], seats: 4 }).choices).toEqual({})
})

test('values are compared as they are stored, without what the form adds to them', () => {
  const toStored = ({ tags, ...values }: Values) => ({ ...values, tags: tags.map((tag) => tag.slice(1)) })
  const current = { ...opened, tags: ['2b'], note: 'theirs', version: 2 }
  const yours = { ...opened, tags: ['1b'] }
  const conflict = findConflict(changed(current), { ...edited, toStored }, yours)
  expect(Object.entries(conflict?.choices ?? {})).toEqual([['note', 'theirs']])
})

test('an empty value is shown as “Empty”, and a missing choice becomes an error on saving', () => {
  const conflict = compare({ note: 'mine' }, { name: 'Cedar', note: '' })
  expect(toComparedFields(conflict, edited)).toMatchObject([
    { name: 'name', label: 'Name', yours: 'Aurora', theirs: 'Cedar', choice: 'theirs', error: undefined },
    { name: 'note', yours: 'mine', theirs: 'Empty', choice: 'yours', error: undefined },
  ])
  const asked = { ...compare({ name: 'Baobab' }, { name: 'Cedar' }), isAsked: true }
  expect(toComparedFields(asked, edited)).toMatchObject([{ error: 'Both of you have changed this. Choose one.' }])
})

test('any other error is not a conflict', () => {
  const refused = new ApiError({ status: 409, code: 'email_taken', message: '' })
  expect(findConflict(refused, edited, opened)).toBeUndefined()
})
