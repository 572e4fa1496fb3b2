import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt, run, waitFor } from './processes.mjs'

/**
 * `npm run drill -- container`: builds the image and runs it as intended: read-only, not as root, and without
 * capabilities. The server becomes ready, a person signs in and books, the container is stopped and started, and the
 * booking must still be there.
 *
 * If the Dockerfile's base image cannot be pulled, one is built here from Debian packages and the Node that runs this
 * script.
 */

const PACKAGES = ['podman', 'runc', 'iptables', 'debootstrap']
const IMAGE = 'localhost/podkeeper-drill'
const LOCAL_BASE = `localhost/podkeeper-drill-base:${process.version}`
const NAME = 'podkeeper-drill'
const PORT = 15_450
const URL = `http://127.0.0.1:${PORT}`
const EMAIL = 'admin@podkeeper.example'
const SECRET = 'a-drill-and-nothing-else'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

const say = (text) => process.stdout.write(`${text}\n`)
// The default runtime refuses machines that have both versions of cgroups.
const podman = (...args) => run('podman', '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args)
const inside = (...args) => podman('exec', NAME, ...args).trim()

export async function drillContainer() {
  if (!findPodman()) {
    say('SKIPPED: there is no podman, and it takes root on Debian to install it.')
    return true
  }
  const remove = () => {
    attempt('podman', 'rm', '--force', '--volumes', NAME)
    attempt('podman', 'volume', 'rm', '--force', NAME)
  }
  remove()
  try {
    return await drill()
  } catch (error) {
    say(`\n${error.stack}`)
    return false
  } finally {
    if (!process.argv.includes('--keep')) remove()
  }
}

function findPodman() {
  if (attempt('podman', '--version') && attempt('runc', '--version')) return true
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  run('apt-get', 'update')
  run('apt-get', 'install', '-y', '--no-install-recommends', ...PACKAGES)
  return true
}

async function drill() {
  say('Building the image …')
  buildImage(findBase())
  const checks = []
  const check = (text, isWell) => {
    checks.push(isWell)
    say(`${isWell ? 'yes' : 'NO '}  ${text}`)
  }

  startContainer()
  await becomeReady()
  check('it becomes ready, read-only and without capabilities', true)
  check('its user is node', inside('id', '--user', '--name') === 'node')
  const places = ['/app/dist/server/main.js', '/app/x', '/usr/local/bin/x', '/etc/x']
  const written = places.filter((path) => attemptInside('touch', path))
  check(`it can write nothing of its own: ${written.join(', ') || 'tried at four places'}`, written.length === 0)
  check('it can write to /data and /tmp', attemptInside('touch', '/data/x') && attemptInside('touch', '/tmp/x'))
  inside('rm', '/data/x', '/tmp/x')
  const files = inside('ls', '-A', '/app').split('\n')
  check(
    `it holds what it runs, and the list of it: ${files.join(', ')}`,
    files.toSorted().join() === 'dist,node_modules,package.json,sbom.json,scripts',
  )
  const { components } = JSON.parse(inside('cat', '/app/sbom.json'))
  const names = new Set(components.map(({ name }) => name))
  check(`the list names ${names.size} packages, none for development`, names.has('fastify') && !names.has('vitest'))

  const token = await signIn()
  const booked = await book(token)
  check('a person signs in and books', booked !== undefined)
  check('nothing is left in /tmp', inside('ls', '-A', '/tmp') === '')
  const started = Date.now()
  podman('stop', '--time', '20', NAME)
  const code = podman('inspect', '--format', '{{.State.ExitCode}}', NAME).trim()
  check(`it stops when it is asked to, in ${((Date.now() - started) / 1000).toFixed(1)} s, with ${code}`, code === '0')
  podman('start', NAME)
  await becomeReady()
  const again = await ask(`/bookings/${booked}`, { token: await signIn() })
  check('started again, the booking is there', again.status === 200)
  return checks.every(Boolean)
}

function attemptInside(...args) {
  try {
    inside(...args)
    return true
  } catch {
    return false
  }
}

/** Returns the Dockerfile's base image when it can be pulled, and otherwise a locally built one. */
function findBase() {
  const [, named] = /^ARG BASE=(\S+)$/m.exec(run('cat', 'Dockerfile'))
  if (attempt('timeout', '60', 'podman', 'pull', '--quiet', `docker.io/library/${named}`)) {
    say(`Base: ${named}`)
    return `docker.io/library/${named}`
  }
  say(`Base: ${named} cannot be had here, so Debian bookworm and this machine's Node ${process.version} in its place.`)
  if (!attempt('podman', 'image', 'exists', LOCAL_BASE)) makeBase()
  return LOCAL_BASE
}

/** Builds what the Dockerfile expects of its base: Node and npm on the path, and a user `node`. */
function makeBase() {
  const folder = mkdtempSync(join(tmpdir(), 'podkeeper-base-'))
  try {
    run('debootstrap', '--variant=minbase', '--include=libstdc++6,ca-certificates', 'bookworm', folder)
    const npm = run('npm', 'root', '--global').trim()
    cpSync(process.execPath, join(folder, 'usr/local/bin/node'))
    cpSync(join(npm, 'npm'), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'))
    run('chroot', folder, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node')
    // The image trusts the same certificates as this machine.
    if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(folder, CERTIFICATES))
    const trust = process.env.NODE_EXTRA_CA_CERTS ? ['--change', `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] : []
    run('sh', '-c', 'tar -C "$0" -c . | podman import --quiet "$@"', folder, ...trust, '-', LOCAL_BASE)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Builds the image without separate namespaces, which a virtual machine may refuse. Packages come from this machine's
 * npm cache where possible.
 */
function buildImage(base) {
  const store = run('npm', 'config', 'get', 'cache').trim()
  const options = ['--volume', `${store}:/root/.npm`, '--build-arg', `BASE=${base}`]
  podman('build', '--isolation', 'chroot', '--network', 'host', '--format', 'docker', ...options, '--tag', IMAGE, '.')
}

function startContainer() {
  const settings = {
    SECRET_KEY: SECRET,
    PUBLIC_URL: URL,
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: SECRET,
    DEMO_DATA: 'on',
    LOG_LEVEL: 'warn',
  }
  const confined = ['--read-only', '--tmpfs', '/tmp', '--user', 'node', '--cap-drop', 'all']
  const limits = ['--security-opt', 'no-new-privileges', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']
  const doors = ['--volume', `${NAME}:/data`, '--publish', `127.0.0.1:${PORT}:4000`]
  const environment = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  podman('run', '--detach', '--name', NAME, ...confined, ...limits, ...doors, ...environment, IMAGE)
}

const becomeReady = () => waitFor('/readyz', async () => (await fetch(`${URL}/readyz`)).ok, 120_000)

async function ask(path, { token, ...options } = {}) {
  const response = await fetch(`${URL}/api${path}`, {
    ...options,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
  })
  return { status: response.status, body: await response.json() }
}

async function signIn() {
  const { body } = await ask('/user/login', {
    method: 'POST',
    body: JSON.stringify({ email: EMAIL, password: SECRET }),
  })
  if (!body.token) throw new Error(body.message)
  return body.token
}

/** Books for the signed-in person on a day in the distant future, and returns the booking's id. */
async function book(token) {
  const { body: pods } = await ask('/product/getall', { token })
  const pod = pods.find(({ isBlocked, location }) => !isBlocked && !location?.isBlocked)
  const { body } = await ask(`/user/create-booking/${pod._id}`, {
    token,
    method: 'POST',
    body: JSON.stringify({
      bookingPurpose: 'meeting',
      bookingDate: '2040-01-02',
      startTime: '2040-01-02T09:00:00.000Z',
      endTime: '2040-01-02T10:00:00.000Z',
    }),
  })
  return body.booking?._id
}
