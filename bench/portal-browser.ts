import { type Browser, chromium, type Page } from '@playwright/test'
import { type Login, signIn } from './staff-requests.ts'

/** A running product as seen by a browser of its own with a signed-in person. */
export type Portal = { url: string; token: string; openPage: OpenPage }

/** Opens a page with an empty cache; `prepare` runs in the page before its own scripts. */
type OpenPage = (path: string, prepare?: () => void) => Promise<PortalPage>

export type PortalPage = {
  page: Page
  /** Waits until no request has been pending for a while. */
  settle: () => Promise<void>
  /** Returns the URLs, kinds and compressed sizes of everything loaded since the last call. */
  takeLoaded: () => Promise<Loaded[]>
  close: () => Promise<void>
}

export type Loaded = { url: string; kind: string; bytes: number; cacheControl: string }

const QUIET_MS = 400
const FOUND_MS = 30_000
const LOOK_AGAIN_MS = 50

export async function withPortal<T>(url: string, work: (portal: Portal) => Promise<T>): Promise<T> {
  const login = await signIn(url)
  const browser = await launchBrowser()
  try {
    return await work({
      url,
      token: login.token,
      openPage: (path, prepare) => openPage(browser, url + path, login, prepare),
    })
  } finally {
    await browser.close()
  }
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })
}

/**
 * Keeps a page from opening the live stream, during which the network would never be idle: it behaves like a tab beside
 * one that reads the stream.
 */
export function withoutLiveStream(): void {
  void navigator.locks.request('podkeeper-live', () => new Promise(() => undefined))
}

/** Opens a page with an empty cache and a stored session. */
async function openPage(
  browser: Browser,
  address: string,
  login: Login,
  prepare: (() => void) | undefined,
): Promise<PortalPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(
    ({ token, pages, user }) => {
      localStorage.setItem('token', token)
      localStorage.setItem('auth_page', pages)
      localStorage.setItem('user', user)
    },
    { token: login.token, pages: JSON.stringify(login.auth_page), user: JSON.stringify(login) },
  )
  await context.addInitScript(withoutLiveStream)
  if (prepare) await context.addInitScript(prepare)
  const page = await context.newPage()
  const watched = { ...watch(page), close: () => context.close() }
  await page.goto(address)
  await findInPage(page, 'heading', () => page.evaluate(() => document.querySelector('h1') !== null || undefined))
  await watched.settle()
  return watched
}

/**
 * Waits until `find` finds something in the page, and returns it. Playwright's locators are not used: the first one
 * leaves listeners in the page that run at every click, and their time would be counted as the portal's.
 */
export async function findInPage<T>(page: Page, what: string, find: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + FOUND_MS
  do {
    const found = await find()
    if (found !== undefined) return found
    // Waits outside the page, because Playwright's own waiting polls inside it.
    await page.waitForTimeout(LOOK_AGAIN_MS)
  } while (performance.now() < until)
  throw new Error(`${page.url()} shows no ${what}`)
}

function watch(page: Page): Omit<PortalPage, 'close'> {
  let loaded: Promise<Loaded>[] = []
  let inFlight = 0
  let changedAt = performance.now()
  const change = (by: number) => {
    inFlight += by
    changedAt = performance.now()
  }
  page.on('request', () => change(1))
  page.on('requestfailed', () => change(-1))
  page.on('requestfinished', (request) => {
    change(-1)
    const entry = Promise.all([request.sizes(), request.response()]).then(([{ responseBodySize }, response]) => ({
      url: request.url(),
      kind: request.resourceType(),
      bytes: responseBodySize,
      cacheControl: response?.headers()['cache-control'] ?? '',
    }))
    // Fails when the page is closed meanwhile; nobody needs the sizes then.
    entry.catch(() => undefined)
    loaded.push(entry)
  })
  return {
    page,
    async settle() {
      changedAt = performance.now()
      const isBusy = () => inFlight > 0 || performance.now() - changedAt < QUIET_MS
      while (isBusy()) await page.waitForTimeout(50)
    },
    async takeLoaded() {
      const taken = loaded
      loaded = []
      return Promise.all(taken)
    },
  }
}
