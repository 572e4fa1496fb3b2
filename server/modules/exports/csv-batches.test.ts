import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { toListOrder } from '#server/db/ordered-list.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { orders } from '../features/features.repository.ts'
import { toCsvBatches } from './csv-batches.ts'

const test = useTestApp()
const ROWS = 3_500

async function readAll(isBusy: boolean) {
  let statements = 0
  const count = () => {
    statements += 1
  }
  test.database.pool.on('acquire', count)
  const foreground = { noteCall: () => undefined, isBusy: () => isBusy }
  const source = { rows: test.db.selectFrom('features').selectAll(), order: toListOrder(orders, undefined, 'order') }
  let text = ''
  for await (const batch of toCsvBatches({ db: test.db, foreground }, { Name: sql`page.name` }, source)) text += batch
  test.database.pool.off('acquire', count)
  return { lines: text.trimEnd().split('\r\n'), statements }
}

it('reads every row once and in order, in small batches while others call', async () => {
  await sql`insert into features (id, name, icon, position)
    select gen_random_uuid(), 'Feature ' || n, 'wifi', n from generate_series(1, ${ROWS}::int) as n`.execute(test.db)
  const all = Array.from({ length: ROWS }, (_, index) => `Feature ${index + 1}`)
  const beside = await readAll(true)
  expect(beside.lines).toEqual(all)
  expect(beside.statements).toBe(4)
  const alone = await readAll(false)
  expect(alone.lines).toEqual(all)
  expect(alone.statements).toBeLessThanOrEqual(4)
})

it('counts every call as someone to give way to, but that for a file', async () => {
  const { foreground } = test.context
  const { token } = await test.signIn()
  await expect.poll(() => foreground.isBusy(), { timeout: 5_000 }).toBe(false)
  expect((await test.call(routes.features.export, { token })).status).toBe(200)
  expect(foreground.isBusy()).toBe(false)
  expect((await test.call(routes.features.list, { token })).status).toBe(200)
  expect(foreground.isBusy()).toBe(true)
})
