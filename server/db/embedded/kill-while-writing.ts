import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

export type Acknowledged = { first: Promise<unknown>; all: readonly string[] }

/**
 * Kills a process (SIGKILL, so that it cleans nothing up) a short, random time after its first acknowledged write.
 * Returns everything that was acknowledged until then. Works for any process and any source of acknowledgements: its
 * standard output (`readLines`) or the responses of its HTTP server.
 */
export async function killWhileWriting(process: ChildProcess, acknowledged: Acknowledged): Promise<string[]> {
  const ended = once(process, 'exit')
  const early = ended.then(() => Promise.reject(new Error('The process ended before its first write')))
  await Promise.race([acknowledged.first, early])
  await delay(50 + Math.random() * 350)
  process.kill('SIGKILL')
  await ended
  // Output that it printed before it died may still be on its way.
  await delay(5)
  return [...acknowledged.all]
}

/** Collects the output lines that begin with a word, without that word. */
export function readLines(process: ChildProcess, word: string): Acknowledged {
  if (process.stdout === null) throw new Error('The process was started without a pipe for its output')
  const all: string[] = []
  const lines = createInterface({ input: process.stdout })
  const first = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (!line.startsWith(`${word} `)) return
      all.push(line.slice(word.length + 1))
      resolve()
    })
  })
  return { first, all }
}
