/** By how much the browser's text size is larger than usual. Widths in px that have to hold text are multiplied by it. */
export const textScale = globalThis.document
  ? Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1
  : 1
