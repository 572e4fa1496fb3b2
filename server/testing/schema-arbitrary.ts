import fc from 'fast-check'

export type JsonSchema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** Values that a schema cannot describe, by property name: an id of an existing record, an email address … */
export type Hints = Record<string, fc.Arbitrary<unknown>>

/** Placeholders for text that JavaScript cannot hold as a value: a huge number, and deeply nested JSON. */
const standIns: Record<string, string> = {
  '@huge': '1e999',
  '@lists': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '@objects': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
}

/** Hostile values. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '\0',
    'a\0b',
    '\uD800',
    '',
    ' ',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '--',
    '%s',
    '${1}',
    '../..',
    '\u202Eabc',
    '👩‍👩‍👧',
  ),
  fc.constantFrom('__proto__', 'constructor', 'null', 'NaN', 'Infinity', '-0', '1e999', '99999999999999999999', '0x10'),
  fc.constantFrom(
    '0000-01-01',
    '0001-01-01T00:00:00Z',
    '9999-12-31',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30',
    '-271821-04-20',
  ),
  fc.constantFrom('x'.repeat(300), 'é'.repeat(20_000), '((((((((a', '<script>', "' or 1=1 --", '[object Object]'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  fc.constantFrom(null, true, false, [], {}, [[]], -1, 0.1, 2 ** 53, -1e308, 5e-324),
  fc.constantFrom({ _id: '\0' }, { _id: {} }, [null], [{}], { length: 5 }, { toString: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...Object.keys(standIns)),
)

/** Generates values that mostly match the schema; now and then one part does not. */
export function toArbitrary(schema: JsonSchema, hints: Hints, name = ''): fc.Arbitrary<unknown> {
  const valid = hints[name] ?? toValid(schema, hints, name)
  return fc.oneof({ weight: 15, arbitrary: valid }, { weight: 1, arbitrary: hostileValue })
}

function toValid(schema: JsonSchema, hints: Hints, name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice) => toValid(choice, hints, name)))
  switch (schema.type) {
    case 'string':
      return toText(schema)
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? 0, -1e6), max: Math.min(schema.maximum ?? 100, 1e6) })
    case 'number':
      return fc.integer({ min: 0, max: 100 })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(toArbitrary(schema.items ?? {}, hints, name), { minLength: 1, maxLength: 3 })
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      const model = Object.fromEntries(properties.map(([key, value]) => [key, toArbitrary(value, hints, key)]))
      return fc.record(model, { requiredKeys: schema.required ?? [] })
    }
    default:
      return fc.oneof(fc.integer(), fc.string({ maxLength: 10 }))
  }
}

function toText({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date') return fc.integer({ min: 1, max: 28 }).map((day) => `2026-12-${String(day).padStart(2, '0')}`)
  if (pattern?.includes('\\d{1,9}')) return fc.integer({ min: 1, max: 3 }).map(String)
  return fc.string({ minLength: Math.max(minLength, 1), maxLength: Math.min(maxLength, 40) }).map((text) => `x${text}`)
}

export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replace(/"(@\w+)"/g, (text, name: string) => standIns[name] ?? text)
}
