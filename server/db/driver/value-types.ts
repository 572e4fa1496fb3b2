import { type CustomTypesConfig, types } from 'pg'

type Parse = (text: string) => unknown

/** The oids of PostgreSQL's types (pg_type.oid). */
const oid = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  dateArray: 1182,
  int8Array: 1016,
  numericArray: 1231,
  textArray: 1009,
}

/** Takes any oid, as the driver does: its enum has no arrays. */
const getDriversParser = types.getTypeParser as (id: number, format?: 'text' | 'binary') => (text: string) => unknown

const parseTextArray = getDriversParser(oid.textArray) as (text: string) => (string | null)[] // by its oid

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
  return value
}

const parsers = new Map<number, Parse>([
  [oid.int8, parseInteger],
  [oid.int8Array, (text) => parseTextArray(text).map((item) => (item === null ? null : parseInteger(item)))],
  // A date has no time zone, so it must not become an instant; 'YYYY-MM-DD' is also used on the wire (rules §1.3).
  [oid.date, (text) => text],
  [oid.dateArray, parseTextArray],
  // Money is exact decimal (rules §10.6): a numeric is text already, but its arrays would become floats.
  [oid.numericArray, parseTextArray],
  [oid.timestamp, (text) => new Date(`${text.replace(' ', 'T')}Z`)],
])

/**
 * The parsers of both engines' values: timestamptz → Date, date → 'YYYY-MM-DD', numeric → text, int8 → number. Passed
 * to each pool, so that the driver's global table stays as it is.
 */
export const valueTypes: CustomTypesConfig = {
  // The driver's type has an overload for each known oid, but each returns a parser of text.
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) || getDriversParser(id, format)) as typeof types.getTypeParser,
}
