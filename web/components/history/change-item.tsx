import type { ReactNode } from 'react'
import type { Change } from '#contract/audit.ts'
import { toImageSource } from '#web/components/image-source.ts'
import { toMomentText } from '#web/lib/business-day.ts'
import { Image } from '#web/ui/image/image.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { listFieldChanges } from './change-fields.ts'
import styles from './change-item.module.css'
import { toActorName, toChangeText } from './change-words.ts'

/** One change: who made it, when, and each field before and after. */
export function ChangeItem({ change, action }: { change: Change; action?: ReactNode }) {
  const fields = listFieldChanges(change)
  const table = fields.length > 0 && <FieldChanges fields={fields} isNew={change.before === null} />
  return (
    <article className={styles.change}>
      <header className={styles.head}>
        <p className={styles.words}>
          <strong>{toActorName(change.actor)}</strong> {toChangeText(change)}{' '}
          {change.undoes !== null && <StatusChip tone="grey">Undo</StatusChip>}
          <time className={styles.time} dateTime={change.at}>
            {toMomentText(change.at)}
          </time>
        </p>
        {action}
      </header>
      {/* The sentence says already where something was sent. */}
      {change.reason !== null && change.action !== 'send' && <p className={styles.reason}>{change.reason}</p>}
      {change.action === 'create' && table ? (
        <details>
          <summary className={styles.summary}>What it was created with</summary>
          {table}
        </details>
      ) : (
        table
      )}
    </article>
  )
}

type FieldChangesProps = { fields: ReturnType<typeof listFieldChanges>; isNew: boolean }

function FieldChanges({ fields, isNew }: FieldChangesProps) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, label, before, after, isSecret, images }) => (
        <div key={name}>
          <dt>{label}</dt>
          {isSecret ? (
            <dd>{isNew ? 'Set' : 'Changed'}</dd>
          ) : (
            <dd className={styles.values}>
              {!isNew && (
                <span className={styles.before}>
                  <VisuallyHidden>before: </VisuallyHidden>
                  {images ? <Thumbnails urls={images.before} /> : before || '(empty)'}
                </span>
              )}
              <span className={styles.after}>
                {!isNew && (
                  <span className={styles.arrow} aria-hidden>
                    →
                  </span>
                )}
                <span>
                  {!isNew && <VisuallyHidden>after: </VisuallyHidden>}
                  {images ? <Thumbnails urls={images.after} /> : after || '(empty)'}
                </span>
              </span>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

const MOST_THUMBNAILS = 6

function Thumbnails({ urls }: { urls: string[] }) {
  if (urls.length === 0) return 'no image'
  const more = urls.length - MOST_THUMBNAILS
  return (
    <span className={styles.images}>
      {urls.slice(0, MOST_THUMBNAILS).map((url, index) => (
        <Image key={url} src={toImageSource(url)} alt={`Image ${index + 1}`} ratio="3 / 2" width={54} />
      ))}
      {more > 0 && `and ${more} more`}
    </span>
  )
}
