import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { toListOrder } from '#server/db/lists/pagination.ts'
import type { ReadElsewhere } from '#server/db/replica.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { orders } from '../features/features.repository.ts'
import { toCsvBatches } from './csv-batches.ts'

const test = useTestApp()
const ROWS = 4_500

const addFeatures = (name: string, position: 'before' | 'after', rows = ROWS) =>
  sql`insert into features (id, name, icon, position)
    select gen_random_uuid(), ${`${name} `} || n, 'wifi', ${position === 'before' ? -1 : 1}::int * n
      from generate_series(1, ${rows}::int) as n`.execute(test.db)

const read = (onReplica = test.context.onReplica) =>
  toCsvBatches(
    onReplica,
    { columns: { Name: sql`page.name` }, separator: 'comma' },
    {
      rows: test.db.selectFrom('features').selectAll(),
      order: toListOrder(orders, undefined, 'order'),
    },
  )

it('reads every row once and in order while rows are being added', async () => {
  await addFeatures('Feature', 'after')
  let text = ''
  let isFirst = true
  for await (const part of read()) {
    text += part
    if (isFirst) await addFeatures('Added', 'before', 100)
    isFirst = false
  }
  expect(text.trimEnd().split('\r\n')).toEqual(Array.from({ length: ROWS }, (_, n) => `Feature ${n + 1}`))
})

it('reads one batch at a time, however many exports run concurrently', async () => {
  await addFeatures('Feature', 'after')
  let underWay = 0
  let most = 0
  const watched: ReadElsewhere = async (batch) => {
    underWay += 1
    most = Math.max(most, underWay)
    return test.context.onReplica(batch).finally(() => {
      underWay -= 1
    })
  }
  const readAll = async () => {
    let text = ''
    for await (const part of read(watched)) text += part
    return text.trimEnd().split('\r\n').length
  }
  expect(await Promise.all([readAll(), readAll(), readAll()])).toEqual([ROWS, ROWS, ROWS])
  expect(most).toBe(1)
})

it('leaves the database to others for as long as a batch took, while three files are made', async () => {
  await addFeatures('Feature', 'after', 1_000)
  const times: { begun: number; ended: number }[] = []
  const watched: ReadElsewhere = async (batch) => {
    const begun = performance.now()
    await pause(100)
    return test.context.onReplica(batch).finally(() => times.push({ begun, ended: performance.now() }))
  }
  const readAll = async () => {
    for await (const part of read(watched)) expect(part).not.toBe('')
  }
  await Promise.all([readAll(), readAll(), readAll()])
  // The last batches are made while fewer files wait.
  const pauses = times.slice(1, 4).map(({ begun }, batch) => begun - (times[batch]?.ended ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThan(90)
})

it('yields nothing when there are no rows', async () => {
  expect(await read().next()).toEqual({ done: true, value: undefined })
})
