import { useEffect, useState } from 'react'

const TICK_MS = 10_000

/** Returns what `read` returns, and renders again when that has changed as time passes. */
export function useClock<Value extends string>(read: () => Value): Value {
  const [, setLast] = useState(read)
  useEffect(() => {
    const timer = setInterval(() => setLast(read()), TICK_MS)
    return () => clearInterval(timer)
  }, [read])
  return read()
}
