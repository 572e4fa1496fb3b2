import { type KyselyPlugin, type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import type { Db } from '#server/db/client.ts'
import { toListOrder } from '#server/db/ordered-list.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { orders } from '../features/features.repository.ts'
import { toCsvBatches } from './csv-batches.ts'

const test = useTestApp()
const ROWS = 3_500

const source = (db: Db) => ({
  rows: db.selectFrom('features').selectAll(),
  order: toListOrder(orders, undefined, 'order'),
})

async function readAll(isBusy: boolean, db = test.db) {
  let statements = 0
  const count = () => {
    statements += 1
  }
  test.database.pool.on('acquire', count)
  const foreground = { noteRequest: () => undefined, isBusy: () => isBusy }
  let text = ''
  for await (const batch of toCsvBatches({ db, foreground }, { Name: sql`page.name` }, source(db))) text += batch
  test.database.pool.off('acquire', count)
  return { lines: text.trimEnd().split('\r\n'), statements }
}

/** At every other position: those that come later can be put between. */
const addFeatures = (name: RawBuilder<unknown>, offset = 0) =>
  sql`insert into features (id, name, icon, position)
    select gen_random_uuid(), ${name}, 'wifi', 2 * n + ${offset}::int from generate_series(1, ${ROWS}::int) as n`.execute(
    test.db,
  )

const all = Array.from({ length: ROWS }, (_, index) => `Feature ${index + 1}`)

it('reads every row once and in order, in small batches while others call', async () => {
  await addFeatures(sql`'Feature ' || n`)
  const beside = await readAll(true)
  expect(beside.lines).toEqual(all)
  expect(beside.statements).toBe(4)
  const alone = await readAll(false)
  expect(alone.lines).toEqual(all)
  // Three batches; side by side, where each of the later ones ends is looked up too.
  expect(alone.statements).toBeLessThanOrEqual(6)
})

it('loses no row while others are added among those of a batch that is still to be made', async () => {
  await addFeatures(sql`'Feature ' || n`)
  let isAdded = false
  const adding: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const [row] = result.rows
      // Where the next batch ends is known by then, and not a line of it is made.
      if (row && 'list_key' in row && !('text' in row) && !isAdded) {
        isAdded = true
        await addFeatures(sql`'Added ' || n`, 1)
      }
      return result
    },
  }
  const { lines } = await readAll(false, test.db.withPlugin(adding))
  expect(lines.filter((line) => line.startsWith('Feature'))).toEqual(all)
  expect(isAdded).toBe(test.database.engine === 'postgres')
  expect(lines.length > ROWS).toBe(isAdded)
})

it('counts every call as someone to give way to, but that for a file', async () => {
  const { foreground } = test.context
  const { token } = await test.signIn()
  await expect.poll(() => foreground.isBusy(), { timeout: 5_000 }).toBe(false)
  expect((await test.request(routes.features.export, { token })).status).toBe(200)
  expect(foreground.isBusy()).toBe(false)
  expect((await test.request(routes.features.list, { token })).status).toBe(200)
  expect(foreground.isBusy()).toBe(true)
})
