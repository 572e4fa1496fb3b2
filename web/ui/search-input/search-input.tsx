import type { ComponentProps } from 'react'
import { IconSearch } from '../icons/icons.tsx'
import styles from './search-input.module.css'

/** A search field with its icon. Its container must be `position: relative`. */
export function SearchInput(props: ComponentProps<'input'>) {
  return (
    <>
      <IconSearch size={16} className={styles.icon} />
      {/* A longer search is refused. */}
      <input {...props} type="search" maxLength={200} className={styles.input} />
    </>
  )
}
