import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'

/** Options by id, for the labels of current and earlier choices. */
export type KnownOptions = Map<string, LookupOption>

export function remember(known: KnownOptions, options: readonly LookupOption[]): KnownOptions {
  for (const option of options) known.set(option.value, option)
  return known
}
