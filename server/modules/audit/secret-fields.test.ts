import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { SECRET_MASK } from '#contract/secrets.ts'
import { allEndpoints, soundRequests } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { samples } = soundRequests(test)
const writes = allEndpoints.filter(({ name }) => name in samples)

/** Columns whose names contain such a word are taken for secrets. */
const ofSecrets = /password|secret|token|hash|(^|_)(key|pin)(_|$)/
/** Fields that only sound like it. */
const harmless = new Set(['must_replace_password'])

it.each(writes)('the history of $name has no secret', async ({ name, endpoint }) => {
  const { token } = await test.signIn()
  const sample = (await samples[name]?.()) ?? {}
  const response = await test.request(endpoint, { token, ...sample, headers: { 'if-match': '*', ...sample.headers } })
  expect(response.status, response.text).toBeLessThan(300)
  const { rows } = await sql<{ entity: string; field: string; value: string }>`
    select entity, field, value
      from audit, jsonb_each_text(coalesce(before, '{}')) as fields (field, value)
     where value is not null
     union
    select entity, field, value
      from audit, jsonb_each_text(coalesce(after, '{}')) as fields (field, value)
     where value is not null`.execute(test.db)
  for (const { entity, field, value } of rows) {
    if (!ofSecrets.test(field) || harmless.has(field)) continue
    const problem = `${entity}.${field} is in the history: name it in \`secrets\` or \`leftOut\` of its RecordKind`
    expect(['', SECRET_MASK], problem).toContain(value)
  }
})
