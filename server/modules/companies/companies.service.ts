import type { z } from 'zod'
import type { Company, CompanyBody, CompanyEdit } from '#contract/companies.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ChangeDetails, recordChange, recordCreation } from '../audit/record-change.ts'
import * as repository from './companies.repository.ts'

export async function getCompany(db: Db | Tx, id: string): Promise<Company> {
  const company = await repository.findCompany(db, id)
  if (!company) throw notFound('Company')
  return company
}

export async function createCompany(db: Db, actor: Actor, body: z.output<typeof CompanyBody>): Promise<Company> {
  const now = actor.now()
  const id = createId(now.getTime())
  const company = { ...toColumns(body), id, name: body.name, created_at: now }
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
  const changes = toColumns(edit)
  if (Object.values(changes).every((value) => value === undefined)) return getCompany(db, id)
  return inTransaction(db, (tx) =>
    changeCompany(tx, actor, { id, action: 'edit' }, () => repository.updateCompany(tx, id, changes)),
  )
}

/** Hidden everywhere but in its bookings, which keep its name (rules §18.1). */
export async function deleteCompany(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, (tx) =>
    changeCompany(tx, actor, { id, action: 'delete' }, () =>
      repository.updateCompany(tx, id, { deleted_at: actor.now() }),
    ),
  )
}

async function changeCompany<T>(tx: Tx, actor: Actor, change: ChangeDetails, write: () => Promise<T>): Promise<T> {
  const result = await recordChange(tx, actor, repository.companyRecord, change, write)
  if (result === undefined) throw notFound('Company')
  return result
}

function toColumns({ contactName, vatNumber, billingAddress, costCentre, ...rest }: z.output<typeof CompanyEdit>) {
  return {
    ...rest,
    contact_name: contactName,
    vat_number: vatNumber,
    billing_address: billingAddress,
    cost_centre: costCentre,
  }
}
