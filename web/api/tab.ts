/** Id of this tab for the server, which sends it back with changes made here. A reload gives a new one. */
export const tabId = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
