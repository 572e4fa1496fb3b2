import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PageLevels } from '#contract/pages.ts'
import { locationsQuery } from './locations-field.tsx'
import { listLevels, toLocationWords } from './page-access-words.ts'

type Access = { auth_page: PageLevels; locations: readonly string[] | null }

/** Formats those values of a form that are not readable as they are; returns undefined for the others. */
export function showAccess(name: string, { auth_page, locations }: Access): ReactNode {
  if (name === 'locations') return <LocationNames ids={locations} />
  return name === 'auth_page' ? listLevels(auth_page) : undefined
}

/** Names the locations; counts them until their names have loaded, and when there are none. */
function LocationNames({ ids }: { ids: readonly string[] | null }) {
  const locations = useQuery({ ...locationsQuery, enabled: ids !== null })
  const names = locations.data?.data.data.filter(({ _id }) => ids?.includes(_id)).map(({ name }) => name)
  return names?.join(', ') || toLocationWords(ids)
}
