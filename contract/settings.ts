/** What the portal knows of its operator before anyone signs in; the server writes it into the page. */
export type PortalSettings = {
  productName: string
  businessTimeZone: string
  appStoreUrl: string | null
  playStoreUrl: string | null
}
