/** Settings that the portal needs before anyone signs in; the server embeds them in the page. */
export type PortalSettings = {
  productName: string
  businessTimeZone: string
  appStoreUrl: string | null
  playStoreUrl: string | null
}
