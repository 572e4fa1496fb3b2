import type { ComponentProps } from 'react'
import { IconSearch } from '../icons/icons.tsx'
import styles from './search-input.module.css'

/** A search field with its icon. Its container must be `position: relative`. */
export function SearchInput(props: ComponentProps<'input'>) {
  return (
    <>
      <IconSearch size={16} className={styles.icon} />
      <input {...props} type="search" className={styles.input} />
    </>
  )
}
