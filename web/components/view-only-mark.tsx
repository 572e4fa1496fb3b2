import { IconEye } from '#web/ui/icons/icons.tsx'
import styles from './view-only-mark.module.css'

/** Beside the title of a screen, for those who may look at it and change nothing (rules §34.6). */
export function ViewOnlyMark() {
  return (
    <span
      className={styles.mark}
      data-tooltip="You can look at this page, and change nothing. A colleague with Assign Role can give you more."
    >
      <IconEye size={14} />
      View only
    </span>
  )
}
