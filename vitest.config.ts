import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const nginxPlaces = ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx']
process.env.NGINX_PATH ||= nginxPlaces.find((path) => existsSync(path)) ?? ''
if (!process.env.NGINX_PATH)
  process.stderr.write('nginx is not installed: SKIPPED are the tests of the server behind a proxy (NGINX_PATH).\n')

const serverTests = {
  globalSetup: ['server/db/embedded/global-setup.ts', 'server/testing/global-setup.ts'],
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // As long as a test may take: a busy machine is no failure.
  expect: { poll: { timeout: 20_000 } },
}

const sharedOnBothEngines = [
  'server/db/{lists,driver}/**/*.test.ts',
  'server/db/{client,notifications,stream,tables,transaction,within-locations}.test.ts',
  'server/backup/{backup,choose-outdated}.test.ts',
  'server/jobs/{jobs,worker}.test.ts',
]

/**
 * Tests that talk to the server by its own doors leave nothing behind in the process: their files share one, as loading the server
 * takes longer than most of them. Those that start, stop and kill servers and databases have one each.
 */
const sharedProcess = [
  'server/{http,modules,storage}/**/*.test.ts',
  'server/{app,bounded-queue,compatibility,config,query-count,secrets}.test.ts',
  ...sharedOnBothEngines,
  'server/demo/{fill-bookings,share-out}.test.ts',
  'server/start/secret-key.test.ts',
]

/**
 * What can differ between the engines: the driver, SQL that leans on an index or a lock, streams, files, jobs and crashes. With a
 * PostgreSQL to test on, the rest of what shares a process runs there alone, and the browser tests go through the embedded engine;
 * `npm run test:long` runs everything on both.
 */
const differsBetweenEngines = [
  ...sharedOnBothEngines,
  'server/http/csv.test.ts',
  'server/modules/{backups,exports,live,mail,messages,passkeys,search,second-factors,webhooks}/**/*.test.ts',
  'server/modules/**/*.{list,race}.test.ts',
]
const onPostgresToo = Boolean(process.env.TEST_DATABASE_URL)
const onEmbedded = onPostgresToo && !process.env.TEST_LONG ? differsBetweenEngines : sharedProcess

/** Files that the other engine would load only to skip. */
const ofOtherEngine = {
  embedded: [
    'server/{behind-pgbouncer,outage-postgres,rolling-release,several-servers}.test.ts',
    'server/db/replica.test.ts',
    'server/start/first-start.test.ts',
  ],
  postgres: ['server/{main,outage-embedded}.test.ts', 'server/db/embedded/**'],
}

/** The tests of one engine: `server-<engine>`, and those with a process each, `process-<engine>`. */
function testsOn(engine: 'embedded' | 'postgres', shared: string[]) {
  const env = { TZ: engine === 'embedded' ? 'Pacific/Auckland' : 'America/St_Johns', TEST_ENGINE: engine }
  // The tests of a process are over before optimizing the embedded engine's code pays off.
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

/** Each project runs in another time zone, none of them the business's: nothing may depend on the machine's. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['contract/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          env: { TZ: 'Pacific/Honolulu' },
          css: false,
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
