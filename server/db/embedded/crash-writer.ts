import { sql } from 'kysely'
import { openDatabase } from '../client.ts'
import { inTransaction } from '../transaction.ts'

/**
 * A process for tests to kill: it opens the data folder, prints what it finds there and then writes for ever, printing
 * each row only once the database has acknowledged it. Each row is in both tables or in neither.
 */
const [, , dataDir = ''] = process.argv

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  const { db, maintain } = await openDatabase({ dataDir })
  await sql`create table if not exists written (id int primary key, filling text)`.execute(db)
  await sql`create table if not exists mirrored (id int primary key)`.execute(db)
  const { rows } = await sql<{ id: number; mirrored: number | null }>`
    select id, mirrored.id as mirrored from written full join mirrored using (id) order by id`.execute(db)
  print(`found ${JSON.stringify(rows.map(({ id }) => id))}`)
  print(`torn ${rows.filter(({ id, mirrored }) => id !== mirrored).length}`)
  let id = rows.at(-1)?.id ?? 0
  for (;;) {
    id += 1
    await inTransaction(db, async (tx) => {
      await sql`insert into written values (${id}, repeat('x', 500))`.execute(tx)
      await sql`insert into mirrored values (${id})`.execute(tx)
    })
    print(`ack ${id}`)
    if (id % 40 === 0) await maintain('checkpoint')
  }
} catch (error) {
  print(`error ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
