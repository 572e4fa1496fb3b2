import type { ComponentProps } from 'react'
import { type CallName, useMay } from '#web/api/may.ts'
import { Button } from '#web/ui/button/button.tsx'

type CallButtonProps = ComponentProps<typeof Button> & {
  /** What it leads to: it is there for those who may call it. */
  call: CallName
}

export function CallButton({ call, ...button }: CallButtonProps) {
  return useMay().call(call) && <Button {...button} />
}
