/** Settings that the portal needs before anyone signs in; the server writes them into the page. */
export type PortalSettings = {
  productName: string
  businessTimeZone: string
  appStoreUrl: string | null
  playStoreUrl: string | null
}
