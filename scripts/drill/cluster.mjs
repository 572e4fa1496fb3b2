import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, run, start, waitFor } from './processes.mjs'

/**
 * Three hosts, each a network namespace with etcd, Patroni and the PostgreSQL that Patroni runs, on a disk of its own.
 * HAProxy in front of them sends every connection to the primary. `remove` deletes all networks, processes and folders.
 */

const BRIDGE = 'podkeeper0'
const GATEWAY = '10.77.0.1'
const DISK_MEGABYTES = 700
const DATABASE_PORT = 15_432
const PASSWORD = 'drill'

export const nodes = [1, 2, 3].map((number) => ({
  name: `podkeeper-${number}`,
  address: `10.77.0.${10 + number}`,
}))

/**
 * Patroni's timings in seconds: how long a silent primary keeps its role, how often Patroni checks, and how long it
 * retries.
 */
const TTL = 7
const LOOP_WAIT = 1
const RETRY_TIMEOUT = 3

export async function startCluster(folder) {
  remove(folder)
  makeNetwork()
  for (const node of nodes) {
    makeDisk(folder, node)
    writeFileSync(join(folder, node.name, 'patroni.yml'), JSON.stringify(toPatroniSettings(folder, node)))
    startNode(folder, node)
  }
  writeFileSync(join(folder, 'haproxy.cfg'), toProxySettings())
  start(join(folder, 'haproxy.log'), 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
  await waitUntilWhole()
}

export const primaryUrl = (database) => `postgres://postgres:${PASSWORD}@127.0.0.1:${DATABASE_PORT}/${database}`
export const nodeUrl = (node, database) => `postgres://postgres:${PASSWORD}@${node.address}:5432/${database}`

const ask = async ({ address }, path) =>
  (await fetch(`http://${address}:8008/${path}`, { signal: AbortSignal.timeout(1_000) })).json()

/** Returns what Patroni knows of its members, from the first node that responds. */
async function readMembers() {
  for (const node of nodes) {
    const { members } = await ask(node, 'cluster').catch(() => ({}))
    if (members) return members
  }
  return []
}

const findMember = (members, isIt) =>
  nodes.find(({ name }) => members.some((member) => member.name === name && isIt(member)))
const isLeader = ({ role }) => role === 'leader'
const isSynchronous = ({ role }) => role === 'sync_standby'

/** Returns the primary's node, and the node that has every commit too. Waits while Patroni is changing them. */
export function findRoles() {
  return waitFor('a primary and a synchronous standby', async () => {
    const members = await readMembers()
    const [primary, synchronous] = [findMember(members, isLeader), findMember(members, isSynchronous)]
    return primary && synchronous && { primary, synchronous }
  })
}

/**
 * Waits until both standbys read from the primary again, and one of them has every commit. Of one that cannot, because it
 * has what the primary has not, Patroni says all the same that it is running.
 */
export function waitUntilWhole() {
  return waitFor(
    'two standbys that read from the primary',
    async () => {
      const members = await readMembers()
      const { replication } = await ask(findMember(members, isLeader), 'patroni')
      return replication.filter(({ state }) => state === 'streaming').length === 2 && members.some(isSynchronous)
    },
    120_000,
  )
}

/** Kills PostgreSQL on a node with SIGKILL, but not Patroni, which notices it. */
export function killDatabase({ name }) {
  for (const pid of listProcesses(name)) if (isPostgres(pid)) attempt('kill', '-KILL', pid)
}

/** Kills everything on a node at once, as when a machine loses power. */
export function killNode({ name }) {
  for (const pid of listProcesses(name)) attempt('kill', '-KILL', pid)
}

export function startNode(folder, { name, address }) {
  const peers = nodes.map((node) => `${node.name}=http://${node.address}:2380`).join(',')
  const etcd = `etcd --name ${name} --data-dir ${join(folder, `${name}-etcd`)} --initial-cluster ${peers}
    --listen-peer-urls http://${address}:2380 --initial-advertise-peer-urls http://${address}:2380
    --listen-client-urls http://${address}:2379 --advertise-client-urls http://${address}:2379 --pre-vote --enable-v2 --logger zap`
  const patroni = `runuser -u postgres -- patroni ${join(folder, name, 'patroni.yml')}`
  for (const [part, command] of Object.entries({ etcd, patroni })) {
    start(join(folder, `${name}-${part}.log`), 'ip', `netns exec ${name} ${command}`.split(/\s+/))
  }
}

/** Cuts the network between two nodes in both directions; both still reach all others. */
export function cut(one, other) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ])
    run('ip', '-n', from.name, 'route', 'add', 'blackhole', `${to.address}/32`)
}

export function mend(one, other) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ])
    run('ip', '-n', from.name, 'route', 'del', 'blackhole', `${to.address}/32`)
}

/** Fills a node's disk completely. */
export function fillDisk(folder, { name }) {
  attempt('dd', 'if=/dev/zero', `of=${join(folder, name, 'filler')}`, 'bs=64k')
}

export function freeDisk(folder, { name }) {
  rmSync(join(folder, name, 'filler'), { force: true })
}

export function remove(folder) {
  for (const { name } of nodes) {
    killNode({ name })
    attempt('umount', '--lazy', join(folder, name))
    attempt('ip', 'netns', 'del', name)
  }
  attempt('ip', 'link', 'del', BRIDGE)
  rmSync(folder, { recursive: true, force: true })
}

function listProcesses(name) {
  try {
    return run('ip', 'netns', 'pids', name).split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function isPostgres(pid) {
  return attempt('grep', '-qx', 'postgres', `/proc/${pid}/comm`)
}

function makeNetwork() {
  run('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  run('ip', 'addr', 'add', `${GATEWAY}/24`, 'dev', BRIDGE)
  run('ip', 'link', 'set', BRIDGE, 'up')
  for (const [index, { name, address }] of nodes.entries()) {
    const [outside, inside] = [`podkeeper0-${index}`, 'eth0']
    run('ip', 'netns', 'add', name)
    run('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', name)
    run('ip', 'link', 'set', outside, 'master', BRIDGE, 'up')
    run('ip', '-n', name, 'link', 'set', 'lo', 'up')
    run('ip', '-n', name, 'addr', 'add', `${address}/24`, 'dev', inside)
    run('ip', '-n', name, 'link', 'set', inside, 'up')
  }
}

function makeDisk(folder, { name }) {
  const home = join(folder, name)
  mkdirSync(home, { recursive: true })
  run('mount', '-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', home)
  run('chown', 'postgres', home)
  run('chmod', '711', folder)
}

function toPatroniSettings(folder, { name, address }) {
  const home = join(folder, name)
  const version = readdirSync('/usr/lib/postgresql')
    .sort((one, other) => Number(one) - Number(other))
    .at(-1)
  const account = { username: 'postgres', password: PASSWORD }
  return {
    scope: 'podkeeper',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // Not `etcd3`: with Patroni 3.0.2, a primary that was cut off can take its role back from its successor there.
    etcd: { hosts: nodes.map((node) => `${node.address}:2379`) },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: LOOP_WAIT,
        retry_timeout: RETRY_TIMEOUT,
        // A commit is acknowledged once a standby has it, and waits while there is none.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // Another node takes over at once, rather than after the primary's recovery.
        master_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 120,
            wal_keep_size: '64MB',
            max_wal_size: '128MB',
            shared_buffers: '64MB',
            // A standby that stays silent for this long is dropped, and another takes its place.
            wal_sender_timeout: '4s',
            wal_receiver_timeout: '4s',
            // Until a standby has reached the new primary, no commit is confirmed. At first its slot may be missing.
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all 10.77.0.0/24 md5', 'host replication all 10.77.0.0/24 md5'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(home, 'data'),
      bin_dir: `/usr/lib/postgresql/${version}/bin`,
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: account, replication: account, rewind: account },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      parameters: { unix_socket_directories: home },
    },
  }
}

function toProxySettings() {
  return `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
frontend database
  bind 127.0.0.1:${DATABASE_PORT}
  default_backend primary
backend primary
  option httpchk GET /primary
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`).join('\n')}
`
}
