import pg from 'pg'

/** Databases that tests create and drop on the server of TEST_DATABASE_URL. */

function requireServerUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is not set')
  return url
}

export function toDatabaseUrl(name: string): string {
  const url = new URL(requireServerUrl())
  url.pathname = `/${name}`
  return url.href
}

export async function createDatabase(name: string, template?: string): Promise<void> {
  await runStatement(`drop database if exists "${name}" with (force)`)
  await runStatement(`create database "${name}"${template ? ` template "${template}"` : ''}`)
}

export async function dropDatabase(name: string): Promise<void> {
  await runStatement(`drop database if exists "${name}" with (force)`)
}

/** Drops a database and all copies of it, which are named `<name>_…`. */
export async function dropDatabases(name: string): Promise<void> {
  const isCopy = `starts_with(datname, '${name}_')`
  const rows = await runStatement<{ datname: string }>(
    `select datname from pg_database where datname = '${name}' or ${isCopy}`,
  )
  for (const { datname } of rows) await dropDatabase(datname)
}

/** Runs a statement in the database of TEST_DATABASE_URL itself. */
export async function runStatement<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: requireServerUrl() })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
