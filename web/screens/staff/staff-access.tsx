import type { ReactNode } from 'react'
import type { PageLevels } from '#contract/pages.ts'
import { useMay } from '#web/api/may.ts'
import { PageAccessField } from '#web/components/page-access-field.tsx'
import { staffLabels } from './staff-values.ts'

type StaffAccessProps = { value: PageLevels; onChange: (value: PageLevels) => void; error: ReactNode }

/** What a colleague may open, and what of it they may change. */
export function StaffAccess({ value, onChange, error }: StaffAccessProps) {
  const { held } = useMay()
  return (
    <PageAccessField
      label={staffLabels.auth_page}
      value={value}
      onChange={onChange}
      held={held}
      error={error}
      hint="View is to look at a page, edit to change what it shows too. You can give no more than you hold yourself."
    />
  )
}
