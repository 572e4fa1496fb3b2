import { expect, test } from 'vitest'
import { choiceParam, choiceParamOr, dayParam, pageParam, textParam } from './url-state.ts'

test.each([undefined, '', '0', '-1', '1.5', 'x', '99999999'])('reads page %s as the first', (text) => {
  expect(pageParam().parse(text)).toBe(1)
})

test('keeps defaults out of the URL', () => {
  expect([pageParam().format(1), pageParam().format(2)]).toEqual([undefined, '2'])
  expect([textParam().format(''), textParam().format('a')]).toEqual([undefined, 'a'])
  const sort = choiceParamOr(['name', '-name'], 'name')
  expect([sort.format('name'), sort.format('-name')]).toEqual([undefined, '-name'])
})

test('accepts only known choices', () => {
  expect(choiceParam(['active', 'blocked']).parse('deleted')).toBeUndefined()
  expect(choiceParam(['active', 'blocked']).parse('active')).toBe('active')
  expect(choiceParamOr(['name', '-name'], 'name').parse('; drop table')).toBe('name')
})

test.each([undefined, '', '2026-13-01', '2026-02-30', 'tomorrow'])('reads day %s as none', (text) => {
  expect(dayParam().parse(text)).toBe('')
})

test('shortens a search text that is too long for any list', () => {
  expect(textParam().parse('x'.repeat(300))).toHaveLength(200)
})
