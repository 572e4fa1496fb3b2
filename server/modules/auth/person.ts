import type { Selectable } from 'kysely'
import type { SignedInStaff } from '#contract/staff.ts'
import type { Config } from '#server/config.ts'
import type { StaffTable } from '#server/db/schema.ts'

/** Columns for a person who signs in or is signed in: who they are, and what they may access. */
export const personColumns = [
  'staff.id',
  'staff.firstname',
  'staff.lastname',
  'staff.email',
  'staff.phone_number',
  'staff.role',
  'staff.pages',
  'staff.view_only_pages',
  'staff.location_ids',
  'staff.must_replace_password',
] as const

type ColumnOf<Reference> = Reference extends `staff.${infer Column}` ? Column : never

export type PersonRow = Pick<Selectable<StaffTable>, ColumnOf<(typeof personColumns)[number]>>

/** Returns the person as they are on the wire. */
export function toSignedInStaff(row: PersonRow): SignedInStaff {
  const { id, firstname, lastname, email, phone_number, role } = row
  return { _id: id, firstname, lastname, email, phoneNumber: phone_number, role }
}

/**
 * Returns whether the person has to choose a password before anything else, because theirs was generated
 * (rules §33.18). Only in production: a first look at the demo goes on with what the start printed.
 */
export function mustReplacePassword({ production }: Config, row: Pick<PersonRow, 'must_replace_password'>): boolean {
  return production && row.must_replace_password
}
