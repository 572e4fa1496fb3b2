import styles from './similar-note.module.css'

/** Note above a list of similar matches. Rendered empty from the start, so that screen readers announce its text. */
export function SimilarNote({ search }: { search: string | undefined }) {
  return (
    <output className={styles.note}>
      {search !== undefined && `No exact match for “${search}”. These are spelled similarly.`}
    </output>
  )
}
