/** Where an image is: the site's origin before the stored url (rules §14.8), unless that names a host of its own. */
export function toImageSource(url: string): string {
  return /^https?:\/\//.test(url) ? url : `${window.location.origin}${url}`
}
