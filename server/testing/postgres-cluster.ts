import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { vi } from 'vitest'
import { findFreePort, killProcess } from './server-process.ts'

const DEBIAN = '/usr/lib/postgresql'
const [newest] = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : []
const bin = (program: string) => join(DEBIAN, newest ?? '', 'bin', program)

/** Whether this machine has PostgreSQL's own programs. */
export const hasPrograms = newest !== undefined && existsSync(bin('initdb'))

export type PostgresServer = { url: string; query: (text: string) => Promise<unknown[]>; stop: () => Promise<void> }

/**
 * Starts a PostgreSQL server for one test, and a replica that follows it. When the tests run as root, which PostgreSQL
 * refuses, both run as the user postgres.
 */
export async function startCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'podkeeper-cluster-'))
  const user = process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : {}
  await chmod(folder, 0o700)
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid)
  const run = (program: string, ...args: string[]) => execFileSync(bin(program), args, { ...user, cwd: folder })
  const servers: PostgresServer[] = []
  async function start(data: string): Promise<PostgresServer> {
    const port = await findFreePort()
    const args = ['-D', data, '-p', String(port), '-k', '', '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off']
    const child: ChildProcess = spawn(bin('postgres'), args, { ...user, cwd: folder, stdio: 'ignore' })
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const query = async (text: string): Promise<unknown[]> => {
      const client = new pg.Client({ connectionString: url })
      // A server that is stopped may break the connection at any moment.
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(text)).rows
      } finally {
        await client.end()
      }
    }
    const isThere = () =>
      query('select 1').then(
        () => true,
        () => false,
      )
    await vi.waitUntil(isThere, { timeout: 30_000, interval: 50 })
    const server = { url, query, stop: () => killProcess(child) }
    servers.push(server)
    return server
  }
  run('initdb', '-D', join(folder, 'primary'), '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-N')
  const primary = await start(join(folder, 'primary'))
  run('pg_basebackup', '-D', join(folder, 'replica'), '-R', '-X', 'stream', '-c', 'fast', '-d', primary.url)
  const replica = await start(join(folder, 'replica'))
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await rm(folder, { recursive: true, force: true })
  }
  return { primary, replica, stop }
}

const readId = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
