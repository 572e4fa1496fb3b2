import { api } from './client.ts'

/** View as a colleague (rules §34.9). The `get` after each request updates the session from its response headers. */

export async function startViewAs(staffId: string): Promise<void> {
  await api('viewAs', 'start', { params: { id: staffId } })
  await api('viewAs', 'get')
}

export async function stopViewAs(): Promise<void> {
  await api('viewAs', 'stop')
  await api('viewAs', 'get')
}
