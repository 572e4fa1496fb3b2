import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  process.env.CHROMIUM_PATH,
  // Renders like Chromium, but starts without the browser's interface.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Returns the path of a Chromium on this machine. If there is none, it installs Debian's package where permitted, and
 * otherwise throws an Error that says what to do.
 */
export function requireChromium() {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']]) {
      spawnSync('apt-get', args, { stdio: 'inherit', env })
    }
  }
  const installed = findChromium()
  if (installed) return installed
  throw new Error(
    'The browser tests need Chromium: install it (apt-get install chromium-headless-shell), or set CHROMIUM_PATH.',
  )
}

function findChromium() {
  return places.find((path) => path && existsSync(path))
}
