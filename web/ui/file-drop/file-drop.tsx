import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { IconUpload } from '../icons/icons.tsx'
import { Announcement } from '../visually-hidden/visually-hidden.tsx'
import styles from './file-drop.module.css'
import { FileTile } from './file-tile.tsx'

export type FileDropItem = {
  id: string
  name: string
  previewUrl?: string | undefined
  /** 0 to 1 while it is being sent. */
  progress?: number | undefined
  problem?: string | undefined
  /** Sending it again cannot help. */
  isRefusal?: boolean | undefined
}

type FileDropProps = {
  label: string
  hint?: ReactNode
  /** In the order shown; the first is the cover. */
  items: readonly FileDropItem[]
  /** Gets only files that pass `accept`, `maxBytes` and `maxFiles`; the others are listed with the reason. */
  onAdd: (files: File[]) => void
  onRemove: (id: string) => void
  onMove: (from: number, to: number) => void
  onRetry?: (id: string) => void
  /** MIME types. */
  accept: readonly string[]
  maxBytes: number
  maxFiles: number
  required?: boolean
  error?: ReactNode
}

type Rejected = { name: string; reason: string }

const BYTES_IN_MEGABYTE = 1024 * 1024

type Limits = { accept: readonly string[]; maxBytes: number; room: number }

/** Sorts files into accepted ones and rejected ones, each with the reason. */
export function sortFiles(files: readonly File[], { accept, maxBytes, room }: Limits) {
  const accepted: File[] = []
  const rejected: Rejected[] = []
  for (const file of files) {
    if (!accept.includes(file.type)) rejected.push({ name: file.name, reason: 'is not an image that can be used' })
    else if (file.size > maxBytes) {
      rejected.push({ name: file.name, reason: `is larger than ${Math.floor(maxBytes / BYTES_IN_MEGABYTE)} MB` })
    } else if (accepted.length >= room) rejected.push({ name: file.name, reason: 'is one too many' })
    else accepted.push(file)
  }
  return { accepted, rejected }
}

/** Field for images, picked or dropped, several at once. They can be moved and removed by keyboard too. */
export function FileDrop(props: FileDropProps) {
  const { label, hint, items, onAdd, accept, maxBytes, maxFiles, required = false, error } = props
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [rejected, setRejected] = useState<readonly Rejected[]>([])
  const [said, setSaid] = useState('')
  const id = useId()

  function add(files: FileList | null) {
    // Dropped files are not stopped by the disabled fieldset of a read-only form.
    if (!files?.length || input.current?.matches(':disabled')) return
    const sorted = sortFiles([...files], { accept, maxBytes, room: maxFiles - items.length })
    setRejected(sorted.rejected)
    if (sorted.accepted.length > 0) {
      onAdd(sorted.accepted)
      const names = sorted.accepted.map(({ name }) => name)
      setSaid(`Added: ${names.join(', ')}.`)
    }
    if (input.current) input.current.value = '' // or the same file could not be picked again
  }

  const dropProps = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      add(event.dataTransfer.files)
    },
  }

  return (
    <fieldset className={styles.root} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.legend}>
        {label}
        {required && (
          <span className={styles.asterisk} aria-hidden>
            {' '}
            *
          </span>
        )}
      </legend>
      <div
        className={styles.zone}
        data-over={over || undefined}
        data-error={Boolean(error) || undefined}
        {...dropProps}
      >
        {items.length > 0 && (
          <ol className={styles.tiles}>
            {items.map((item, index) => (
              <FileTile
                key={item.id}
                item={item}
                index={index}
                count={items.length}
                onMove={(from, to) => {
                  props.onMove(from, to)
                  setSaid(`${item.name} is now at position ${to + 1} of ${items.length}.`)
                }}
                onRemove={(id) => {
                  props.onRemove(id)
                  setSaid(`${item.name} is removed.`)
                }}
                onRetry={props.onRetry}
              />
            ))}
          </ol>
        )}
        <div className={styles.pick}>
          <Button
            size="small"
            icon={<IconUpload size={16} />}
            disabled={items.length >= maxFiles}
            onClick={() => input.current?.click()}
          >
            Choose images
          </Button>
          <span className={styles.hint}>{hint ?? 'or drop them here'}</span>
        </div>
        <input
          ref={input}
          type="file"
          className={styles.input}
          aria-label={label}
          tabIndex={-1}
          multiple
          accept={accept.join(',')}
          onChange={(event) => add(event.currentTarget.files)}
        />
      </div>
      <Announcement>{said}</Announcement>
      <div aria-live="polite">
        {rejected.map((file) => (
          <p key={file.name} className={styles.error}>
            {file.name} {file.reason}.
          </p>
        ))}
        {error && (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        )}
      </div>
    </fieldset>
  )
}
