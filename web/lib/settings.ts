import type { PortalSettings } from '#contract/settings.ts'

/** Used with the development server, which writes no settings into the page. */
const fallback: PortalSettings = {
  productName: 'Podkeeper',
  businessTimeZone: 'Africa/Johannesburg',
  appStoreUrl: null,
  playStoreUrl: null,
}

function readSettings(): PortalSettings {
  const text = document.getElementById('settings')?.textContent
  if (!text) return fallback
  // The server writes it from an object of this type.
  return { ...fallback, ...(JSON.parse(text) as Partial<PortalSettings>) }
}

export const settings = readSettings()
