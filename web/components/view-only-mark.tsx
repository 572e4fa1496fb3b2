import { IconEye } from '#web/ui/icons/icons.tsx'
import styles from './view-only-mark.module.css'

/** Mark beside a screen's title, for people who may view it but change nothing (rules §34.6). */
export function ViewOnlyMark() {
  return (
    <span
      className={styles.mark}
      data-tooltip="You can view this page, but not change anything. A colleague with access to Assign Role can give you more."
    >
      <IconEye size={14} />
      View only
    </span>
  )
}
