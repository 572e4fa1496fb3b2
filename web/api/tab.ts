/** This tab of the portal, as it names itself to the server and to other tabs; another one after a reload. */
export const tabId = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
