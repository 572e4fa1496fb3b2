import { createContext, type ReactNode, use } from 'react'
import { Button } from '../button/button.tsx'
import styles from './page-header.module.css'

type PageHeaderProps = {
  title: string
  /** Shown beside the title: 'All Pods (12)', or a bare number. */
  count?: ReactNode
  /** Makes the count a button that clears the filters, to show all records. */
  onShowAll?: () => void
  /** Shown beside that button: how many records match the filters, '20 of 3,603'. */
  found?: ReactNode
  description?: ReactNode
  /** The one main action, at the right end. */
  action?: ReactNode
  /** Other actions, to the left of it. */
  secondaryActions?: ReactNode
}

/** A mark beside the title, given by whatever renders the screen. */
export const TitleMark = createContext<ReactNode>(null)

/** The head of every screen: title at the left, actions at the right. Contains the screen's only h1. */
export function PageHeader({ title, count, onShowAll, found, description, action, secondaryActions }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <div className={styles.line}>
          <h1 className={styles.title}>{title}</h1>
          {count !== undefined &&
            (onShowAll ? (
              <Button
                size="small"
                data-tooltip="Clear all filters"
                aria-description="Clears all filters"
                onClick={onShowAll}
              >
                {count}
              </Button>
            ) : (
              <span className={styles.count}>{count}</span>
            ))}
          {found !== undefined && <span className={styles.count}>{found}</span>}
          {use(TitleMark)}
        </div>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {(action || secondaryActions) && (
        <div className={styles.actions}>
          {secondaryActions}
          {action}
        </div>
      )}
    </header>
  )
}
