import { useState } from 'react'
import { hasWords } from '#web/lib/has-words.ts'
import { SearchInput } from '#web/ui/search-input/search-input.tsx'
import styles from './find-location.module.css'

/** How many locations are seen at a glance; among more of them one can search. */
const FEW = 12

/** Returns a search field for locations where there are many, and those that it finds by their text. */
export function useFindLocation<L>(locations: readonly L[], toText: (location: L) => string) {
  const [search, setSearch] = useState('')
  const field = locations.length > FEW && (
    <div className={styles.search}>
      <SearchInput
        aria-label="Find a location"
        placeholder="Find a location"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        // It would submit the form that it may be in.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </div>
  )
  return { field, search, found: locations.filter((location) => hasWords(toText(location), search)) }
}
