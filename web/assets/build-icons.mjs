// Draws the installed app's icons from mark.svg: `node web/assets/build-icons.mjs` after the mark has changed.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

const mark = await readFile(new URL('./mark.svg', import.meta.url), 'utf8')
const out = (name) => new URL(`../public/${name}`, import.meta.url).pathname

/** A maskable icon is cut to any shape: its ground fills the square, the door stays in the inner four fifths. */
const maskable = mark
  .replace('rx="8" ', '')
  .replace(
    /(<path[^>]*\/>\s*)+/,
    (paths) => `<g transform="translate(16 16) scale(.8) translate(-16 -16)">${paths}</g>`,
  )

const icons = [
  ['icon-192.png', mark, 192],
  ['icon-512.png', mark, 512],
  ['icon-512-maskable.png', maskable, 512],
]
for (const [name, svg, size] of icons) {
  await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toFile(out(name))
}
