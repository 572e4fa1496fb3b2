import { settingNames } from '../config.ts'

/** Read only by `npm run secret:change`. */
const OTHER_SETTINGS = ['NEW_SECRET_KEY']
/** Shorter names, such as HOST, resemble variables of other programs. */
const MIN_LENGTH = 8

/** Finds variables whose name is that of a setting but for a letter, two that are swapped, or capitals. */
export function findMisspeltSettings(env: Record<string, string | undefined>): { name: string; meant: string }[] {
  const settings = [...settingNames, ...OTHER_SETTINGS]
  const compared = settings.filter((name) => name.length >= MIN_LENGTH)
  return Object.keys(env)
    .filter((name) => env[name] !== '' && !settings.includes(name))
    .flatMap((name) => {
      const meant = compared.find((setting) => isTypoOf(setting, name.toUpperCase()))
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** Whether two words are the same but for a letter that is wrong, missing or added, or two that are swapped. */
function isTypoOf(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return (inA.length <= 1 && inB.length <= 1) || (inA.length === 2 && inB.length === 2 && inA === `${inB[1]}${inB[0]}`)
}
