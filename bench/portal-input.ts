import type { CDPSession, Locator, Page } from '@playwright/test'
import { median } from './measure.ts'
import { findInPage, type Portal, type PortalPage } from './portal-browser.ts'
import { milliseconds, type Row, toRow } from './report.ts'

/** Single rounds differ by half or more: with fewer, the median would depend on chance. */
const ROUNDS = 21
/** Shorter than the pause after which a search is sent. */
const KEY_MS = 150
/** Simulates a cheap laptop or an older phone. */
const CPU_SLOWDOWN = 4

type Step = { name: string; path: string; measure: (measured: Measured) => Promise<number[]> }
type Measured = PortalPage & {
  /**
   * Returns the milliseconds of scripting caused by an action, within some milliseconds or until everything is quiet
   * again.
   */
  scripting: (act: () => Promise<void>, withinMs?: number) => Promise<number>
}

const inDialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))

const typing: readonly Step[] = [
  {
    name: 'pod form, title',
    path: '/pods',
    measure: (measured) => typeInDialog(measured, 'Create Pod', ({ page }) => inDialog(page).getByLabel('Title')),
  },
  {
    name: 'pod form, description',
    path: '/pods',
    measure: (measured) => typeInDialog(measured, 'Create Pod', ({ page }) => inDialog(page).getByLabel('Description')),
  },
  {
    name: 'staff form, first name',
    path: '/assign-role',
    measure: (measured) => typeInDialog(measured, 'Add Staff', ({ page }) => inDialog(page).getByLabel('First name')),
  },
  {
    name: 'search of bookings',
    path: '/booking',
    measure: (measured) => typeInto(measured, searchOf(measured), KEY_MS),
  },
]

const searching: readonly Step[] = [
  { name: 'bookings', path: '/booking', measure: (measured) => typeInto(measured, searchOf(measured)) },
]

const dialogs: readonly Step[] = [
  { name: 'pod form', path: '/pods', measure: (measured) => openDialog(measured, 'Create Pod') },
  { name: 'pod form, editing', path: '/pods', measure: (measured) => openDialog(measured, 'Edit ') },
  { name: 'staff form', path: '/assign-role', measure: (measured) => openDialog(measured, 'Add Staff') },
  {
    name: 'time slots',
    path: '/corporate-booking',
    measure: (measured) => openDialog(measured, 'Select an Available Time Slot'),
  },
  { name: 'delete confirmation', path: '/pods', measure: (measured) => openDialog(measured, 'Delete ') },
]

/** Measures the scripting after a typed character and while a dialog opens, on a slow processor; medians. */
export async function measureInput(portal: Portal): Promise<Row[]> {
  return [
    toLongestRow('portal: scripting for a character typed', await measureSteps(portal, typing)),
    toLongestRow(
      'portal: scripting for a character and the answer to its search',
      await measureSteps(portal, searching),
    ),
    toLongestRow('portal: scripting for a dialog to open', await measureSteps(portal, dialogs)),
  ]
}

type Result = { name: string; time: number }

async function measureSteps(portal: Portal, steps: readonly Step[]): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, path, measure } of steps) {
    const opened = await portal.openPage(path)
    const cdp = await opened.page.context().newCDPSession(opened.page)
    // The page's own processor time, so that other load on the machine does not count.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    const time = median(
      await measure({ ...opened, scripting: (act, withinMs) => measureScripting(cdp, opened, act, withinMs) }),
    )
    process.stdout.write(`  ${name}: ${milliseconds(time)}\n`)
    results.push({ name, time })
    await opened.close()
  }
  return results
}

function toLongestRow(what: string, results: readonly Result[]): Row {
  const most = results.toSorted((a, b) => b.time - a.time)[0] ?? { name: 'none', time: 0 }
  return toRow({
    what: `${what}, ${CPU_SLOWDOWN} × slower processor, the longest of ${results.length}: ${most.name}`,
    product: most.time,
    limit: 50,
  })
}

/**
 * Measures the scripting of an action. It must use only keyboard and mouse: code that runs in the page to find an
 * element would be counted too.
 */
async function measureScripting(
  cdp: CDPSession,
  { page, settle }: PortalPage,
  act: () => Promise<void>,
  withinMs?: number,
) {
  await settle()
  const before = await readScriptDuration(cdp)
  await act()
  await (withinMs === undefined ? settle() : page.waitForTimeout(withinMs))
  return ((await readScriptDuration(cdp)) - before) * 1000
}

async function readScriptDuration(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
}

const searchOf = ({ page }: PortalPage) => page.getByRole('searchbox', { name: 'Search bookings' })

async function typeInDialog(measured: Measured, opener: string, field: (measured: Measured) => Locator) {
  await measured.page.getByRole('main').getByRole('button', { name: opener }).first().click()
  return typeInto(measured, field(measured))
}

async function typeInto({ page, settle, scripting }: Measured, field: Locator, withinMs?: number): Promise<number[]> {
  await field.click()
  await settle()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await scripting(() => page.keyboard.press('a'), withinMs))
    await page.keyboard.press('Backspace')
  }
  return times
}

/** Opens and closes a dialog repeatedly by mouse and keyboard, without using locators (see findInPage). */
async function openDialog({ page, settle, scripting }: Measured, opener: string): Promise<number[]> {
  const times: number[] = []
  const { x, y } = await findButton(page, opener)
  await page.mouse.move(x, y)
  const press = async () => {
    await page.mouse.down()
    await page.mouse.up()
  }
  for (let round = 0; round < ROUNDS; round++) {
    await settle()
    times.push(await scripting(press))
    if (!(await hasDialog(page))) throw new Error(`${opener} has opened no dialog`)
    await page.keyboard.press('Escape')
    await settle()
    if (await hasDialog(page)) throw new Error(`The dialog of ${opener} has not closed`)
  }
  return times
}

/** Returns the middle of the first button whose name or text begins with `name`. */
function findButton(page: Page, name: string): Promise<{ x: number; y: number }> {
  const find = (begin: string) => {
    const buttons = [...document.querySelectorAll('main button')]
    const found = buttons.find((button) => (button.getAttribute('aria-label') ?? button.textContent).startsWith(begin))
    if (!found) return undefined
    const { left, top, width, height } = found.getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }
  return findInPage(page, `button ${name}`, () => page.evaluate(find, name))
}

const hasDialog = (page: Page) => page.evaluate(() => document.querySelector('dialog[open]') !== null)
