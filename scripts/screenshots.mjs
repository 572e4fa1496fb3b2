import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { requireChromium } from './chromium.mjs'

/**
 * `npm run screenshots`: saves every screen at widths of 1440 and 390 pixels to docs/screenshots/, from a server of its
 * own with the demo data. `SCREENSHOTS_URL`, `ADMIN_EMAIL` and `ADMIN_PASSWORD` use a running server instead;
 * `SCREENSHOTS_TO` and `SCREENSHOTS_SCHEME=dark` are for a quick look.
 */

const folder = process.env.SCREENSHOTS_TO ?? join('docs', 'screenshots')
const staff = {
  email: process.env.ADMIN_EMAIL ?? 'admin@podkeeper.example',
  password: process.env.ADMIN_PASSWORD ?? 'a password for pictures',
}
const screens = [
  ['dashboard', '/'],
  ['features', '/features'],
  ['pods', '/pods'],
  ['transactions', '/Transactions'],
  ['user-details', '/user-details'],
  ['bookings', '/booking'],
  ['locations', '/location'],
  ['assign-role', '/assign-role'],
  ['schedule', '/schedule'],
  ['arrivals', '/arrivals'],
  ['companies', '/companies'],
  ['activity', '/activity'],
  ['messages', '/messages'],
  ['customer-messages', '/messages?show=templates'],
  ['corporate-booking', '/corporate-booking'],
]

/** The screenshots always show 10:40 in Johannesburg, when people are arriving. */
const shiftMs = new Date().setUTCHours(8, 40, 0, 0) - Date.now()
const shiftedDate = `{
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...parts) { parts.length === 0 ? super(RealDate.now() + ${shiftMs}) : super(...parts) }
    static now() { return RealDate.now() + ${shiftMs} }
  }
}`

mkdirSync(folder, { recursive: true })
const own = process.env.SCREENSHOTS_URL ? undefined : await startServer()
const url = process.env.SCREENSHOTS_URL ?? own.url
const browser = await chromium.launch({
  executablePath: requireChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
})
try {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    await takeAll(width, height)
  }
} finally {
  await browser.close()
  await own?.stop()
}

async function takeAll(width, height) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: process.env.SCREENSHOTS_SCHEME === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
    // As on a phone: touch, and overlay scrollbars.
    isMobile: width < 640,
    hasTouch: width < 640,
  })
  if (own) await page.addInitScript(shiftedDate)
  // Keeps the page from opening the live stream, during which the network would never be idle: it behaves like a tab
  // beside one that reads the stream.
  await page.addInitScript(() => void navigator.locks.request('podkeeper-live', () => new Promise(() => undefined)))
  const take = async (name) => {
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}-${width}.png`) })
  }
  await page.goto(`${url}/login`)
  await take('login')
  await page.getByLabel('Email Address').fill(staff.email)
  await page.getByLabel('Password', { exact: true }).fill(staff.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((address) => address.pathname !== '/login')
  for (const [name, path] of screens) {
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await take(name)
  }
  await takeBooking(page, take)
  await page.close()
}

/** Takes the slots of a pod and day, and of the next booking its code, its page and its customer's page. */
async function takeBooking(page, take) {
  await page.getByRole('combobox', { name: 'Pod' }).click()
  await page.getByRole('listbox').getByRole('option').nth(1).click()
  await page.getByRole('button', { name: /^Time Slots/ }).click()
  await page.getByRole('dialog').waitFor()
  await take('time-slots')
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const response = await fetch(`${url}/api/user/all-bookings?when=upcoming&sort=startTime&page=1&limit=50`, {
    headers: { authorization: `Bearer ${token}` },
  })
  // Colleagues book too, and have no page.
  const booking = (await response.json()).find(({ customerId }) => customerId !== null)
  await page.goto(`${url}/qr?bookingId=${booking._id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await take('qr')
  await page.goto(`${url}/booking/${booking._id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await take('booking-page')
  await page.goto(`${url}/user-details/${booking.customerId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await take('customer')
}

async function startServer() {
  const data = mkdtempSync(join(tmpdir(), 'podkeeper-screenshots-'))
  const port = 4000 + Math.floor(Math.random() * 20_000)
  const child = spawn(process.execPath, [join('scripts', 'start.mjs')], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(shiftedDate)}"`,
      PORT: String(port),
      DATA_DIR: data,
      ADMIN_EMAIL: staff.email,
      ADMIN_PASSWORD: staff.password,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const address = `http://localhost:${port}`
  while (child.exitCode === null && !(await fetch(`${address}/readyz`).catch(() => undefined))?.ok) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    url: address,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          rmSync(data, { recursive: true, force: true })
          resolve(undefined)
        })
        child.kill('SIGTERM')
      }),
  }
}
