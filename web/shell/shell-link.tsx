import type { ComponentType, ReactNode } from 'react'

/** What the shell needs of a link; web/lib/link.tsx fits. */
type ShellLinkProps = {
  href: string
  className?: string
  children: ReactNode
  onClick?: () => void
  'aria-current'?: 'page' | undefined
  'aria-label'?: string
}

export type ShellLink = ComponentType<ShellLinkProps>
