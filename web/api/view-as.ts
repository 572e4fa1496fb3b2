import { api } from './client.ts'

/** To see the portal as a colleague sees it, and one's own again (rules §34.9). What the session then holds, the response that follows says. */

export async function startViewAs(staffId: string): Promise<void> {
  await api('viewAs', 'start', { params: { id: staffId } })
  await api('viewAs', 'get')
}

export async function stopViewAs(): Promise<void> {
  await api('viewAs', 'stop')
  await api('viewAs', 'get')
}
