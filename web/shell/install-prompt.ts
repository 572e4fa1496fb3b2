import { createListeners } from '#web/lib/listeners.ts'

/** The browser's offer to install the portal as an app. Only some browsers make it; TypeScript has no type for it. */
type InstallPromptEvent = Event & {
  prompt: () => Promise<void>
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offer: InstallPromptEvent | null = null
const { subscribe, notify } = createListeners()

function replaceOffer(next: InstallPromptEvent | null) {
  offer = next
  notify()
}

/** Keeps the browser's offer for later. It comes once, soon after page load: call this before rendering. */
export function keepInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    replaceOffer(event as InstallPromptEvent) // events of this name have this type
  })
  window.addEventListener('appinstalled', () => replaceOffer(null))
}

export function findInstallPrompt(): InstallPromptEvent | null {
  return offer
}

export const subscribeToInstallPrompt = subscribe

/** Shows the browser's install prompt, once per offer. Returns whether the person accepted. */
export async function installApp(): Promise<boolean> {
  const current = offer
  if (!current) return false
  await current.prompt()
  const { outcome } = await current.userChoice
  replaceOffer(null)
  return outcome === 'accepted'
}
