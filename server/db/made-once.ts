import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './client.ts'
import { runBrief } from './pipeline.ts'

/** Stands for a value while the statement is made. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Whatever is asked of it is a placeholder: to a statement it is as good as the values of any type. */
const placeholders: unknown = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/**
 * A statement whose text is made once, at its first run, rather than put together and compiled at each: for the few that
 * run at nearly every call, where that takes longer than to send them. `make` sees placeholders instead of values, so it
 * may pass each on to the statement and must not look at any.
 */
export function madeOnce<Values extends object, Row>(
  make: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let made: CompiledQuery<Row> | undefined
  return async (db, values) => {
    made ??= make(db, placeholders as Values).compile()
    const parameters = made.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof Values] : value,
    )
    const { rows } = await runBrief<Row>(db, { ...made, parameters })
    return rows
  }
}

/**
 * The same for statements without values, of which a list has a few: each is known by what its `name` says, and `make`
 * runs for the first of a name alone.
 */
export function madeOnceByName<Row>(): (db: Db, name: string, make: () => Compilable<Row>) => Promise<Row[]> {
  const made = new Map<string, CompiledQuery<Row>>()
  return async (db, name, make) => {
    let query = made.get(name)
    if (!query) {
      query = make().compile()
      // They would be those of the first run for ever.
      if (query.parameters.length > 0) throw new Error(`The statement ${name} has values`)
      made.set(name, query)
    }
    const { rows } = await runBrief<Row>(db, query)
    return rows
  }
}
