let lastInputAt = Date.now()

for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
  globalThis.window?.addEventListener(event, () => (lastInputAt = Date.now()), { capture: true, passive: true })
}

/** Returns the seconds since the last input in this tab. Requests that the tab sends by itself do not count as use. */
export const readIdleSeconds = () => Math.floor((Date.now() - lastInputAt) / 1000)
