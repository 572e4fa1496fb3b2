/** Letters that Unicode does not decompose into a plain letter and marks. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
}

const LONGEST = 80

/** Turns a title into part of an address: 'The Crow’s Nest' → 'the-crows-nest'. Returns 'pod' when nothing is left. */
export function toSlug(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøđðþłıħ]/g, (letter) => plainLetters[letter] ?? '')
    .replace(/[\p{M}’']/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'pod' : slug
}
