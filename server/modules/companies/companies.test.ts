import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { CompanyBody } from '#contract/companies.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { buildBooking, buildCompany, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const { list, get, create, update, delete: remove, upcomingBookings } = routes.companies

const signIn = async (pages: PageCode[] = [PAGE.corporateBooking]) => (await test.signIn(pages)).token
const ifMatch = (version: number | string) => ({ 'if-match': String(version) })

/** Every field that can be written: a new one has to be stored, returned, in the file, and found by a search. */
const body: Record<keyof z.input<typeof CompanyBody>, string> = {
  name: 'Baobab Consulting',
  contactName: 'Nomsa Khumalo',
  email: 'nomsa@baobab.example',
  phone: '+27 21 555 0199',
  vatNumber: '4123456789',
  billingAddress: '12 Long Street\nCape Town',
  costCentre: 'CC-1040',
}

describe('POST companies', () => {
  it('stores all given fields, once per idempotency key', async () => {
    const token = await signIn()
    const headers = { 'idempotency-key': 'first' }
    const created = await test.request(create, { token, body, headers })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ _id: expect.any(String), version: 1, ...body })
    const again = await test.request(create, { token, body, headers })
    expect(again.body).toEqual(created.body)
    const found = await test.request(get, { token, params: { id: created.body._id } })
    expect(found.body).toEqual(created.body)
    expect((await test.request(list, { token })).body).toEqual([created.body])
  })

  it('requires only a name', async () => {
    const token = await signIn()
    const created = await test.request(create, { token, body: { name: '  Kudu Software ' } })
    expect(created.body).toMatchObject({ name: 'Kudu Software', contactName: '', email: '', costCentre: '' })
  })

  it.each([
    [{}, 'name', 'Company name is required'],
    [{ name: 'x', email: 'nobody' }, 'email', 'Email must be an email address'],
    [{ name: 'x'.repeat(201) }, 'name', 'Company name may have at most 200 characters'],
    [{ name: 'x', phone: 7 }, 'phone', 'Phone must be text'],
  ])('refuses %j at its field', async (bad, path, message) => {
    const response = await test.request(create, { token: await signIn(), body: bad })
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ path, message }])
  })
})

describe('GET companies', () => {
  it('paginates, sorts by name, searches all identifying fields, and lists deleted companies on request', async () => {
    const token = await signIn()
    const kudu = await buildCompany(test.db, {
      name: 'Kudu Software',
      contact_name: 'Priya Naidoo',
      vat_number: '4987',
    })
    const aloe = await buildCompany(test.db, { name: 'Aloe Legal', phone: '+27 82 555 0177', cost_centre: 'Law' })
    const gone = await buildCompany(test.db, { name: 'Gone', deleted_at: new Date() })
    const listIds = async (query: Record<string, string>) =>
      (await test.request(list, { token, query })).body.map(({ _id }: { _id: string }) => _id)
    expect(await listIds({ sort: 'name', limit: '1' })).toEqual([aloe.id])
    const page = await test.request(list, { token, query: { sort: 'name', limit: '1', page: '2' } })
    expect(page.body).toMatchObject([{ _id: kudu.id }])
    expect(page.headers['x-total-count']).toBe('2')
    for (const search of ['kudu', 'PRIYA naid', '4987', kudu.id]) expect(await listIds({ search })).toEqual([kudu.id])
    for (const search of ['082 555 0177', 'law']) expect(await listIds({ search })).toEqual([aloe.id])
    // One letter is wrong, and the list is paginated.
    expect(await listIds({ search: 'kodu', limit: '5' })).toEqual([kudu.id])
    expect(await listIds({ status: 'deleted' })).toEqual([gone.id])
  })

  it('is allowed with Booking too, while creating is not', async () => {
    const company = await buildCompany(test.db)
    const token = await signIn([PAGE.bookings])
    expect((await test.request(list, { token })).body).toHaveLength(1)
    expect((await test.request(get, { token, params: { id: company.id } })).status).toBe(200)
    expect((await test.request(create, { token, body })).status).toBe(403)
    const deleted = await test.request(list, { token, query: { status: 'deleted' } })
    expect(deleted.body.code).toBe('page_required')
  })

  it('is found by each of its fields but the billing address, and has all of them in its file', async () => {
    const token = await signIn()
    await test.request(create, { token, body })
    const file = await test.request(routes.companies.export, { token })
    const [, row]: string[][] = parse(file.text, { bom: true })
    // Without the sign that keeps a spreadsheet from calculating.
    const values = row?.map((value) => value.replace(/^'/, ''))
    for (const [name, text] of Object.entries(body)) {
      expect(values, `${name} is missing in the file: add its column in companies.export.ts`).toContain(text)
      const { body: found } = await test.request(list, { token, query: { search: text } })
      const problem = `${name} is not found: add it to the view companies_search and its trigger in a migration`
      expect(found, problem).toHaveLength(name === 'billingAddress' ? 0 : 1)
    }
  })

  it('is exported to Companies.csv with the values that the screen shows', async () => {
    const token = await signIn()
    const { id } = await buildCompany(test.db, {
      name: '=Sum',
      contact_name: 'Naledi Dube',
      email: '',
      phone: '021 555 0101',
      vat_number: '4123456789',
      billing_address: 'A, "B"',
      cost_centre: 'CC-7',
    })
    const response = await test.request(routes.companies.export, { token })
    expect(response.headers['content-disposition']).toBe('attachment; filename="Companies.csv"')
    expect(parse(response.text, { bom: true })[1]).toEqual([
      id,
      "'=Sum",
      'Naledi Dube',
      'N/A',
      '021 555 0101',
      '4123456789',
      'A, "B"',
      'CC-7',
    ])
  })
})

describe('PUT and DELETE companies', () => {
  it('change only the fields sent, and only from the current version', async () => {
    const token = await signIn()
    const { id } = await buildCompany(test.db, { name: 'Kudu', contact_name: 'Priya' })
    const edit = { token, params: { id }, body: { name: 'Kudu Software' } }
    expect((await test.request(update, edit)).body.code).toBe('version_required')
    const changed = await test.request(update, { ...edit, headers: ifMatch(1) })
    expect(changed.body).toMatchObject({ name: 'Kudu Software', contactName: 'Priya', version: 2 })
    const late = await test.request(update, { ...edit, body: { name: 'Other' }, headers: ifMatch(1) })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ code: 'record_changed', current: { name: 'Kudu Software', version: 2 } })
    expect((await test.request(update, { ...edit, body: { name: ' ' }, headers: ifMatch(2) })).status).toBe(400)
  })

  it('are recorded in the history, and can be undone and restored', async () => {
    const token = await signIn()
    const { body: company } = await test.request(create, { token, body })
    const params = { id: company._id }
    const edited = await test.request(update, { token, params, body: { phone: '1' }, headers: ifMatch(1) })
    const undoId = String(edited.headers['x-undo-id'])
    expect((await test.request(routes.audit.undo, { token, params: { id: undoId } })).status).toBe(200)
    expect((await test.request(get, { token, params })).body).toMatchObject({ phone: body.phone, version: 3 })
    expect((await test.request(remove, { token, params, headers: ifMatch(3) })).body.message).toBe(
      'Company deleted successfully',
    )
    expect((await test.request(get, { token, params })).status).toBe(404)
    const restored = await test.request(routes.audit.restore, { token, params, body: { entity: 'company' } })
    expect(restored.status).toBe(200)
    const query = { entity: 'company', id: company._id }
    const history = await test.request(routes.audit.history, { token, query })
    expect(history.body.map(({ action }: { action: string }) => action)).toEqual([
      'restore',
      'delete',
      'edit',
      'edit',
      'create',
    ])
    expect(history.body.at(-1).after).toMatchObject({ name: 'Baobab Consulting', vat_number: '4123456789' })
  })

  it('return 404 for unknown and deleted companies', async () => {
    const token = await signIn()
    await buildCompany(test.db)
    const deleted = await buildCompany(test.db, { deleted_at: new Date() })
    for (const id of [createId(), 'none', deleted.id])
      for (const route of [get, update, remove, upcomingBookings]) {
        const response = await test.request(route, { token, params: { id }, body: {}, headers: ifMatch('*') })
        expect(response.status).toBe(404)
      }
  })
})

describe('the bookings of a company', () => {
  it('show its name, can be filtered by company and searched by name, and follow a new name', async () => {
    const token = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const company = await buildCompany(test.db, { name: 'Kudu Software' })
    const booking = await buildBooking(test.db, { company_id: company.id })
    await buildBooking(test.db)
    const listBookings = (query: Record<string, string>) => test.request(routes.bookings.list, { token, query })
    const found = await listBookings({ company: company.id, limit: '5' })
    expect(found.body).toMatchObject([{ _id: booking.id, company: { _id: company.id, name: 'Kudu Software' } }])
    expect(found.headers['x-total-count']).toBe('1')
    expect((await listBookings({ company: 'none' })).body).toEqual([])
    const edit = { token, params: { id: company.id }, body: { name: 'Springbok Works' }, headers: ifMatch(1) }
    await test.request(update, edit)
    expect((await listBookings({ search: 'springbok' })).body).toMatchObject([{ _id: booking.id }])
    expect((await listBookings({ search: 'kudu' })).body).toEqual([])
    await test.request(routes.companies.delete, { token, params: { id: company.id }, headers: ifMatch(2) })
    expect((await listBookings({ search: 'springbok' })).body).toMatchObject([{ company: { name: 'Springbok Works' } }])
  })

  it('lead to their payments by the company and by its name, also a new one', async () => {
    const token = await signIn([PAGE.corporateBooking, PAGE.transactions])
    const [company, other] = [await buildCompany(test.db, { name: 'Kudu Software' }), await buildCompany(test.db)]
    const booking = await buildBooking(test.db, { company_id: company.id })
    const { id } = await buildTransaction(test.db, { booking_id: booking.id })
    await buildTransaction(test.db)
    const find = async (query: Record<string, string>) => {
      const { body, headers } = await test.request(routes.transactions.list, { token, query: { page: '1', ...query } })
      return [headers['x-total-count'], ...body.data.map(({ _id }: { _id: string }) => _id)]
    }
    expect(await find({ company: company.id })).toEqual(['1', id])
    expect(await find({ company: other.id })).toEqual(['0'])
    expect(await find({ search: 'kudu software' })).toEqual(['1', id])
    const edit = { token, params: { id: company.id }, body: { name: 'Springbok Works' }, headers: ifMatch(1) }
    await test.request(update, edit)
    expect([await find({ search: 'springbok' }), await find({ search: 'kudu' })]).toEqual([['1', id], ['0']])
    await test.db.updateTable('bookings').set({ company_id: other.id }).where('id', '=', booking.id).execute()
    expect([await find({ search: 'springbok' }), await find({ search: other.name })]).toEqual([['0'], ['1', id]])
  })

  it('are all counted, but listed only for staff who may see them', async () => {
    const maker = await test.signIn([PAGE.corporateBooking])
    const company = await buildCompany(test.db)
    const { id: pod_id } = await buildPod(test.db, { title: 'Quiet room' })
    const at = (hour: string) => new Date(`2026-11-23T${hour}:00:00.000Z`)
    const own = { pod_id, company_id: company.id, staff_id: maker._id }
    const later = await buildBooking(test.db, { ...own, start_time: at('15') })
    const sooner = await buildBooking(test.db, { pod_id, company_id: company.id, start_time: at('09') })
    await buildBooking(test.db, { ...own, start_time: at('11'), status: 'Cancelled' })
    await buildBooking(test.db, { ...own, start_time: new Date('2026-11-20T11:00:00.000Z'), status: 'Completed' })
    const other = await buildCompany(test.db)
    await buildBooking(test.db, { ...own, start_time: at('13'), company_id: other.id })
    // The status scheduler has not come to it yet.
    await buildBooking(test.db, { ...own, start_time: new Date('2026-11-21T10:00:00.000Z'), status: 'Confirmed' })
    const params = { id: company.id }
    const seen = await test.request(upcomingBookings, { token: maker.token, params })
    expect(seen.body).toMatchObject({ upcomingBookings: 2, bookings: [{ _id: later.id, podTitle: 'Quiet room' }] })
    const token = await signIn([PAGE.corporateBooking, PAGE.bookings])
    const all = await test.request(upcomingBookings, { token, params })
    expect(all.body.bookings.map(({ _id }: { _id: string }) => _id)).toEqual([sooner.id, later.id])
    for (let day = 24; day <= 29; day++) {
      for (const hour of ['09', '11'])
        await buildBooking(test.db, { ...own, start_time: new Date(`2026-11-${day}T${hour}:00:00.000Z`) })
    }
    const { body } = await test.request(upcomingBookings, { token, params })
    expect([body.upcomingBookings, body.bookings.length]).toEqual([14, 10])
  })

  it('cannot belong to a customer as well', async () => {
    const company = await buildCompany(test.db)
    const user = await buildUser(test.db)
    await expect(buildBooking(test.db, { user_id: user.id, company_id: company.id })).rejects.toMatchObject({
      code: '23514',
    })
  })
})

describe('the header’s search', () => {
  it('finds companies only with access to Corporate Booking', async () => {
    const company = await buildCompany(test.db, {
      name: 'Kudu Software',
      contact_name: 'Priya Naidoo',
      email: 'p@k.example',
    })
    const find = async (token: string) => (await test.request(routes.search.find, { token, query: { q: 'kudu' } })).body
    expect(await find(await signIn())).toEqual({
      groups: [
        {
          group: 'companies',
          hits: [{ _id: company.id, title: 'Kudu Software', detail: 'Priya Naidoo, p@k.example' }],
        },
      ],
    })
    expect(await find(await signIn([PAGE.bookings]))).toEqual({ groups: [] })
  })
})
