import type { ComponentType, ReactNode } from 'react'

/** Props that the shell passes to its links; the component in web/lib/link.tsx accepts them. */
type ShellLinkProps = {
  href: string
  className?: string
  children: ReactNode
  onClick?: () => void
  'aria-current'?: 'page' | undefined
}

export type ShellLink = ComponentType<ShellLinkProps>
