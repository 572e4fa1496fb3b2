import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const nginxPlaces = ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx']
process.env.NGINX_PATH ||= nginxPlaces.find((path) => existsSync(path)) ?? ''
if (!process.env.NGINX_PATH)
  process.stderr.write('nginx is not installed: SKIPPED are the tests of the server behind a proxy (NGINX_PATH).\n')

const serverTests = {
  globalSetup: ['server/db/embedded/global-setup.ts', 'server/testing/global-setup.ts'],
  pool: 'forks' as const,
  // Long enough that a busy machine causes no failure.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
}

const sharedOnBothEngines = [
  'server/db/{lists,driver}/**/*.test.ts',
  'server/db/{client,notifications,stream,tables,transaction}.test.ts',
  'server/backup/{backup,choose-outdated}.test.ts',
  'server/jobs/{failed-jobs,jobs,worker}.test.ts',
]

/**
 * Tests that use only the server's public interfaces leave nothing behind in the process: their files share one, and
 * mostly a server (useTestApp), because loading and starting the server takes longer than most of them. Tests that
 * start, stop and kill servers and databases have a process each.
 */
const sharedProcess = [
  'server/{http,modules,storage}/**/*.test.ts',
  'server/db/within-locations.test.ts',
  'server/{app,bounded-queue,compatibility,config,query-count,secrets,shared-reads}.test.ts',
  ...sharedOnBothEngines,
  'server/demo/{fill-bookings,share-out}.test.ts',
  'server/start/{misspelt-settings,secret-key}.test.ts',
]

/**
 * Tests whose result can differ between the engines: of the driver, of SQL that relies on an index or a lock, of
 * streams, files, jobs and crashes. When PostgreSQL is available, the other tests of the shared process run only on it,
 * and the browser tests cover the embedded engine; `npm run test:long` runs everything on both.
 */
const differsBetweenEngines = [
  ...sharedOnBothEngines,
  'server/http/csv.test.ts',
  'server/modules/{backups,exports,live,mail,messages,passkeys,search,second-factors,webhooks}/**/*.test.ts',
  'server/modules/**/*.{list,race}.test.ts',
]
const onPostgresToo = Boolean(process.env.TEST_DATABASE_URL)
const onEmbedded = onPostgresToo && !process.env.TEST_LONG ? differsBetweenEngines : sharedProcess

/** Tests in a process of their own whose result cannot differ: as above, they run on one engine. */
const sameOnBothEngines = [
  'server/{fuzz,tracing}.test.ts',
  'server/commands/{archive-audit,create-staff,reset-second-factor}.test.ts',
]

/** Test files of the other engine, which would be loaded only to be skipped. */
const ofOtherEngine = {
  embedded: [
    'server/{behind-pgbouncer,outage-postgres,rolling-release,several-servers}.test.ts',
    'server/db/replica.test.ts',
    'server/start/first-start.test.ts',
    ...(onPostgresToo && !process.env.TEST_LONG ? sameOnBothEngines : []),
  ],
  postgres: ['server/{main,outage-embedded}.test.ts', 'server/db/embedded/**'],
}

/** Returns the projects of one engine: `server-<engine>`, and `process-<engine>` with a process per file. */
function testsOn(engine: 'embedded' | 'postgres', shared: string[]) {
  const env = { TZ: engine === 'embedded' ? 'Pacific/Auckland' : 'America/St_Johns', TEST_ENGINE: engine }
  // A test process ends before optimising the embedded engine's code would pay off.
  const execArgv = engine === 'embedded' ? ['--liftoff-only'] : []
  return [
    { test: { name: `server-${engine}`, ...serverTests, env, execArgv, include: shared, isolate: false } },
    {
      test: {
        name: `process-${engine}`,
        ...serverTests,
        env,
        execArgv,
        include: ['server/**/*.test.ts'],
        exclude: [...sharedProcess, ...ofOtherEngine[engine]],
      },
    },
  ]
}

/** Each project runs in a different time zone, never the business's: nothing may depend on the machine's zone. */
export default defineConfig({
  test: {
    // One more than there are processors in CI, as tests also wait, for processes that start or stop: an eighth less time.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['contract/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          env: { TZ: 'Pacific/Honolulu' },
          css: false,
          // Since version 25 Node has a localStorage of its own, which hides that of the simulated browser.
          execArgv: Number.parseInt(process.versions.node, 10) >= 25 ? ['--no-experimental-webstorage'] : [],
          testTimeout: serverTests.testTimeout,
        },
      },
      {
        test: { name: 'contract-auckland', include: ['contract/**/*.test.ts'], env: { TZ: 'Pacific/Auckland' } },
      },
      ...testsOn('embedded', onEmbedded),
      ...(onPostgresToo ? testsOn('postgres', sharedProcess) : []),
    ],
  },
})
