import type { ReactNode } from 'react'

/** A name and a value in a <dl>; nothing when there is no value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
