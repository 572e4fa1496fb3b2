import { defineConfig } from 'vitest/config'

const serverTests = {
  include: ['server/**/*.test.ts'],
  globalSetup: ['server/db/embedded/global-setup.ts', 'server/testing/global-setup.ts'],
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

/** Each project runs in another time zone, none of them the business's: nothing may depend on the machine's (design, Tests). */
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
      {
        test: { name: 'server-embedded', ...serverTests, env: { TZ: 'Pacific/Auckland', TEST_ENGINE: 'embedded' } },
      },
      ...(process.env.TEST_DATABASE_URL
        ? [
            {
              test: {
                name: 'server-postgres',
                ...serverTests,
                exclude: ['server/db/embedded/**'],
                env: { TZ: 'America/St_Johns', TEST_ENGINE: 'postgres' },
              },
            },
          ]
        : []),
    ],
  },
})
