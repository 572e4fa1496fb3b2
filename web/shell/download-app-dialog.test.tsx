// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderUi } from '#web/ui/testing.tsx'
import { DownloadAppDialog } from './download-app-dialog.tsx'
import { keepInstallPrompt } from './install-prompt.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})
keepInstallPrompt()

/** Makes the browser's offer, which the person then accepts or dismisses. */
function offer(outcome: 'accepted' | 'dismissed') {
  const prompt = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const event = new Event('beforeinstallprompt', { cancelable: true })
  window.dispatchEvent(Object.assign(event, { prompt, userChoice: Promise.resolve({ outcome }) }))
  // The browser shows nothing by itself.
  expect(event.defaultPrevented).toBe(true)
  return prompt
}

function openDialog() {
  const onClose = vi.fn<() => void>()
  return { ...renderUi(<DownloadAppDialog productName="Podkeeper" onClose={onClose} />), onClose }
}

it('offers to install the portal where the browser can do so, and closes once it is installed', async () => {
  const prompt = offer('accepted')
  const { user, onClose } = openDialog()
  await user.click(await screen.findByRole('button', { name: 'Install Podkeeper' }))
  expect(await screen.findByText('App installed')).toBeTruthy()
  expect(prompt).toHaveBeenCalledOnce()
  expect(onClose).toHaveBeenCalledOnce()
})

it('stays open with advice when the person declines, as the offer is made once', async () => {
  offer('dismissed')
  const { user, onClose } = openDialog()
  await user.click(await screen.findByRole('button', { name: 'Install Podkeeper' }))
  expect(
    await screen.findByText('Choose the install icon in the address bar, or “Install” in the browser’s menu.'),
  ).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Install Podkeeper' })).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
})

it('says how to install the portal on an iPad, which calls itself a Mac', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1',
  )
  vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(5)
  openDialog()
  expect(await screen.findByText('In Safari, choose Share, then “Add to Home Screen”.')).toBeTruthy()
})
