import type { ComponentProps } from 'react'
import { type CallName, useMay } from '#web/api/may.ts'
import { Button } from '#web/ui/button/button.tsx'

type CallButtonProps = ComponentProps<typeof Button> & {
  /** The endpoint behind the button, which is shown only to those who may call it. */
  call: CallName
}

export function CallButton({ call, ...button }: CallButtonProps) {
  return useMay().call(call) && <Button {...button} />
}
