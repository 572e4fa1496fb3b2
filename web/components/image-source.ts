/** Returns an image's address: the site's origin and the stored URL (rules §14.8), or that alone if it is absolute. */
export function toImageSource(url: string): string {
  return /^https?:\/\//.test(url) ? url : `${window.location.origin}${url}`
}
