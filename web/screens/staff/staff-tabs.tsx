import { PAGE } from '#contract/pages.ts'
import { LinkTabs } from '#web/components/link-tabs.tsx'
import { choiceParamOr } from '#web/lib/url-state.ts'
import { pathOf } from '#web/paths.ts'

const labels = { staff: 'Staff', presets: 'Presets' }
type Tab = keyof typeof labels
const names = Object.keys(labels) as Tab[] // exactly the keys of `labels`

export const staffTabParams = { show: choiceParamOr(names, 'staff') }

/** The tabs of the page Assign Role. */
export function StaffTabs({ shown }: { shown: Tab }) {
  const path = pathOf(PAGE.staff)
  return (
    <LinkTabs
      label="Assign a role"
      tabs={names.map((name) => ({
        href: name === 'staff' ? path : `${path}?show=${name}`,
        label: labels[name],
        isCurrent: name === shown,
      }))}
    />
  )
}
