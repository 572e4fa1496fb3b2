import { defineConfig } from '@playwright/test'

/**
 * The browser tests: the built portal on the real server with a real embedded database, one of each per worker, in the
 * system's Chromium. There are no retries, because they would hide faults.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // One more than there are processors in CI, as tests also wait: for retries, pauses in typing, and toasts to go.
  workers: 3,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/playwright.json' }],
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    // Neither UTC nor the business time zone: nothing on a screen may depend on the browser's zone.
    timezoneId: 'Pacific/Auckland',
    locale: 'en-ZA',
    // Drawing transitions takes a tenth of the time. The tests of dragging, menus and focus have them.
    contextOptions: { reducedMotion: 'reduce' },
    // The fixtures take one when a test fails: 'only-on-failure' takes one of every test and throws most of them away.
    screenshot: 'off',
    // Recording adds a third to the time; use `npx playwright test --trace=retain-on-failure` when a trace is needed.
    trace: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
