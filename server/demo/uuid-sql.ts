import { sql } from 'kysely'

/** A UUID of version 7 for a row made at that time, a column of the statement (ids.ts makes the same in the program). */
export const idOf = (createdAt: string) =>
  sql.raw(`overlay(
    gen_random_uuid()::text placing
    regexp_replace(lpad(to_hex(floor(extract(epoch from ${createdAt}) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') || '-7'
    from 1 for 15)::uuid`)
