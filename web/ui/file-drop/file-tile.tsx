import { IconAction } from '../button/button.tsx'
import { IconArrowLeft, IconArrowRight, IconRefresh, IconX } from '../icons/icons.tsx'
import { Image } from '../image/image.tsx'
import styles from './file-drop.module.css'
import type { FileDropItem } from './file-drop.tsx'

type FileTileProps = {
  item: FileDropItem
  index: number
  count: number
  onMove: (from: number, to: number) => void
  onRemove: (id: string) => void
  onRetry: ((id: string) => void) | undefined
}

/** One image of a FileDrop, with its actions. */
export function FileTile({ item, index, count, onMove, onRemove, onRetry }: FileTileProps) {
  const { id, name, previewUrl, progress, problem, isRefusal } = item
  const sending = progress !== undefined && !problem
  return (
    <li className={styles.tile} data-failed={Boolean(problem) || undefined}>
      <Image src={previewUrl} alt={name} />
      {index === 0 && <span className={styles.cover}>Cover</span>}
      {sending && (
        <progress className={styles.progress} value={progress} aria-label={`Uploading ${name}`}>
          {Math.round(progress * 100)} %
        </progress>
      )}
      <div className={styles.tileActions}>
        <IconAction
          size="small"
          label={`Move ${name} left`}
          data-tooltip="Move left"
          icon={<IconArrowLeft size={14} />}
          disabled={index === 0}
          onClick={() => onMove(index, index - 1)}
        />
        <IconAction
          size="small"
          label={`Move ${name} right`}
          data-tooltip="Move right"
          icon={<IconArrowRight size={14} />}
          disabled={index === count - 1}
          onClick={() => onMove(index, index + 1)}
        />
        {problem && !isRefusal && onRetry && (
          <IconAction
            size="small"
            label={`Upload ${name} again`}
            data-tooltip="Retry"
            icon={<IconRefresh size={14} />}
            onClick={() => onRetry(id)}
          />
        )}
        <IconAction
          size="small"
          danger
          label={`Remove ${name}`}
          data-tooltip="Remove"
          icon={<IconX size={14} />}
          onClick={() => onRemove(id)}
        />
      </div>
      {problem && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </li>
  )
}
