import styles from './similar-note.module.css'

/** Above a list whose search matched nothing as it is spelled; stands there, empty, from the start, so that it is read out. */
export function SimilarNote({ search }: { search: string | undefined }) {
  return (
    <output className={styles.note}>
      {search !== undefined && `No exact match for “${search}”. These are spelled similarly.`}
    </output>
  )
}
