import type { Closure } from '#contract/closures.ts'
import type { Pod } from '#contract/pods.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'

/** Returns the pods of a list as options, told apart by their locations. */
export function toPodOptions(pods: readonly Pod[]): LookupOption[] {
  return pods.map(({ location, ...pod }) => toPodOption({ ...pod, locationName: location.name, city: location.city }))
}

export function toPodOption({ _id, title, locationName, city }: Closure['pods'][number]): LookupOption {
  return { value: _id, label: title, detail: `${locationName}, ${city}` }
}
