/** The browser's offer to install the portal as an app; not in TypeScript's DOM types, as only some browsers make it. */
type InstallPromptEvent = Event & {
  prompt: () => Promise<void>
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offer: InstallPromptEvent | null = null
const listeners = new Set<() => void>()

function replaceOffer(next: InstallPromptEvent | null) {
  offer = next
  for (const listener of listeners) listener()
}

/** The offer comes once, soon after the page has loaded: call this before anything is drawn. */
export function keepInstallPrompt() {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    replaceOffer(event as InstallPromptEvent) // as: the event of this name is of this type
  })
  window.addEventListener('appinstalled', () => replaceOffer(null))
}

export function findInstallPrompt(): InstallPromptEvent | null {
  return offer
}

export function subscribeToInstallPrompt(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows the browser's question; an offer serves once. */
export async function installApp(): Promise<boolean> {
  const current = offer
  if (!current) return false
  await current.prompt()
  const { outcome } = await current.userChoice
  replaceOffer(null)
  return outcome === 'accepted'
}
