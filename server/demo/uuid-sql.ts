import { sql } from 'kysely'

/**
 * Returns SQL for a UUID version 7 of a row created at that time, a column of the statement. createId in ids.ts makes
 * the same.
 */
export const idOf = (createdAt: string) =>
  sql.raw(`overlay(
    gen_random_uuid()::text placing
    regexp_replace(lpad(to_hex(floor(extract(epoch from ${createdAt}) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') || '-7'
    from 1 for 15)::uuid`)
