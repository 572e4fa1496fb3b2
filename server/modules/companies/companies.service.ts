import type { Updateable } from 'kysely'
import type { z } from 'zod'
import type { Company, CompanyBody, CompanyEdit } from '#contract/companies.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { CompaniesTable } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ChangeDetails, recordCreation } from '../audit/record-change.ts'
import { recordEdit } from '../audit/record-edit.ts'
import * as repository from './companies.repository.ts'

export async function getCompany(db: Db | Tx, id: string): Promise<Company> {
  const company = await repository.findCompany(db, id)
  if (!company) throw notFound('Company')
  return company
}

export async function createCompany(db: Db, actor: Actor, body: z.output<typeof CompanyBody>): Promise<Company> {
  const now = actor.now()
  const id = createId(now.getTime())
  const company = { ...repository.toColumns(body), id, name: body.name, created_at: now }
  return inTransaction(db, (tx) =>
    recordCreation(tx, actor, repository.companyRecord, id, () => repository.createCompany(tx, company)),
  )
}

/** Absent fields stay as they are (rules §16.5). */
export async function updateCompany(
  db: Db,
  actor: Actor,
  id: string,
  edit: z.output<typeof CompanyEdit>,
): Promise<Company> {
  const changes = repository.toColumns(edit)
  if (Object.values(changes).every((value) => value === undefined)) return getCompany(db, id)
  return changeCompany(db, actor, { id, action: 'edit' }, changes)
}

/** Hides the company everywhere except in its bookings, which keep its name (rules §18.1). */
export async function deleteCompany(db: Db, actor: Actor, id: string): Promise<void> {
  await changeCompany(db, actor, { id, action: 'delete' }, { deleted_at: actor.now() })
}

async function changeCompany(
  db: Db,
  actor: Actor,
  change: ChangeDetails,
  columns: Updateable<CompaniesTable>,
): Promise<Company> {
  const row = await recordEdit(db, actor, repository.companyRecord, change, columns)
  if (!row) throw notFound('Company')
  return repository.toCompany(row)
}
