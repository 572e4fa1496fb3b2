import { routes } from '#contract/routes.ts'
import { type HttpResponse, request } from './http-request.ts'
import type { Samples } from './measure-lists.ts'

export const STAFF = { email: 'bench@example.com', password: 'a benchmark password' }

export type SignedServer = { url: string; token: string; staffId: string }

export type Login = { token: string; staffId: string; auth_page: string[] }

export async function signIn(url: string): Promise<Login> {
  const response = await request(`${url}/api${routes.auth.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(STAFF),
  })
  if (response.status !== 200) throw new Error(`Signing in was answered with ${response.status}`)
  const login = JSON.parse(response.text) as Omit<Login, 'staffId'> & { _id: string } // the login endpoint's own schema
  return { ...login, staffId: login._id }
}

/** Sends a request and returns its parsed body; throws when it is not answered with 200. */
export async function get({ url, token }: { url: string; token: string }, path: string): Promise<unknown> {
  return JSON.parse((await ask({ url, token }, path)).text)
}

/** Sends a request; throws when it is not answered with 200. */
export async function ask({ url, token }: { url: string; token: string }, path: string): Promise<HttpResponse> {
  const response = await request(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
  return response
}

type Named = {
  _id: string
  title: string
  name: string
  firstname: string
  lastname: string
  email: string
  isBlocked: boolean
  location: { isBlocked: boolean }
}

/** Reads values to search and filter by, as staff would see them on the screens, from several places of each list. */
export async function readSamples(server: SignedServer): Promise<Samples> {
  const read = async (path: string, pages = [1, 20, 40]) => {
    const parts = await Promise.all(
      pages.map(async (page) => {
        const body = (await get(server, `${path}?page=${page}&limit=4`)) as Named[] | { data: Named[] } // by the contract
        return Array.isArray(body) ? body : body.data
      }),
    )
    return parts.flat()
  }
  const users = await read(routes.users.list.path)
  const pods = (await read(routes.pods.list.path, [1, 3, 5])).filter(
    ({ isBlocked, location }) => !isBlocked && !location.isBlocked,
  )
  const locations = await read(routes.locations.list.path, [1, 2])
  const bookings = await read(routes.bookings.list.path)
  const transactions = (await read(routes.transactions.list.path)) as unknown as { checkoutId: string }[]
  const total = (await ask(server, `${routes.bookings.list.path}?page=1`)).headers['x-total-count']
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  return {
    bookingTotal: Number(total),
    names: users.map(({ firstname, lastname }) => `${firstname} ${lastname}`).slice(0, 4),
    emails: users.map(({ email }) => email).slice(0, 3),
    users: users.map(({ _id }) => _id),
    pods: pods.map(({ _id, title }) => ({ id: _id, title })),
    locations: locations.map(({ _id, name }) => ({ id: _id, name })),
    bookings: bookings.map(({ _id }) => _id),
    checkouts: transactions.map(({ checkoutId }) => checkoutId).slice(0, 2),
    from: day(-20),
    to: day(10),
  }
}
