let lastInputAt = Date.now()

for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
  globalThis.window?.addEventListener(event, () => (lastInputAt = Date.now()), { capture: true, passive: true })
}

/** Since the person last touched this tab: what it asks for by itself is no use of the session. */
export const readIdleSeconds = () => Math.floor((Date.now() - lastInputAt) / 1000)
