import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { levelOf, nameMissingAccess, type PageAccess, type PageCode } from '#contract/pages.ts'
import type { RolePreset } from '#contract/role-presets.ts'
import { api } from '#web/api/client.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'

type PresetChoiceProps = {
  /** Access of the person who grants it: nobody can grant more than they hold (rules §34.4). */
  held: PageAccess
  /** A page that can be granted for viewing at most, and why a preset that grants more cannot be chosen. */
  viewAtMost?: { page: PageCode; problem: string }
  onChoose: (preset: RolePreset) => void
}

/**
 * Fills in a form's pages, levels and locations from a preset (rules §34.7). Not shown if there are no presets; its place
 * is kept while they load.
 */
export function PresetChoice({ held, viewAtMost, onChoose }: PresetChoiceProps) {
  const [chosen, setChosen] = useState('')
  const query = useQuery({ queryKey: ['rolePresets', 'choices'], queryFn: ({ signal }) => listAll(signal) })
  const presets = query.data
  if (query.error) return <Unloaded query={query} title="The presets could not be loaded" />
  if (presets?.length === 0) return null
  return (
    <NativeSelect
      label="Start from a preset"
      placeholder="Choose a preset"
      disabled={presets === undefined}
      options={(presets ?? []).map((preset) => {
        const problem = findProblem(preset, held, viewAtMost)
        return { value: preset._id, label: problem ? `${preset.name}: ${problem}` : preset.name, disabled: !!problem }
      })}
      // Once the chosen one has been deleted, a browser would name the first of the others.
      value={presets?.some(({ _id }) => _id === chosen) ? chosen : ''}
      onChange={(id) => {
        const preset = presets?.find(({ _id }) => _id === id)
        if (!preset) return
        setChosen(id)
        onChoose(preset)
      }}
      hint="It fills in the pages and locations below, to be changed as you like. A preset that is changed later changes nobody."
    />
  )
}

async function listAll(signal: AbortSignal): Promise<RolePreset[]> {
  const presets: RolePreset[] = []
  for (let page = 1; ; page++) {
    const response = await api('rolePresets', 'list', { query: { sort: 'name', page, limit: 100 }, signal })
    presets.push(...response.data)
    if (response.data.length === 0 || presets.length >= (response.total ?? 0)) return presets
  }
}

/** Returns why a preset cannot be chosen; undefined when it can. */
function findProblem(
  preset: RolePreset,
  held: PageAccess,
  viewAtMost: PresetChoiceProps['viewAtMost'],
): string | undefined {
  const missing = nameMissingAccess(preset, held)
  if (missing !== undefined) return `gives ${missing}, which you do not hold`
  if (viewAtMost && levelOf(viewAtMost.page, preset) === 'edit') return viewAtMost.problem
  return preset.locations?.length === 0 ? 'its locations were deleted' : undefined
}
