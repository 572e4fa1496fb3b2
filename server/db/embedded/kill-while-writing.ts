import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

export type Acknowledged = { first: Promise<unknown>; all: readonly string[] }

/**
 * Kills a process (SIGKILL, so nothing of it is tidied up) a short, different time after its first acknowledged write,
 * and answers with everything that was acknowledged until then. For any process and any way of hearing of its writes:
 * its standard output (`readLines`) or the answers of its HTTP server.
 */
export async function killWhileWriting(process: ChildProcess, acknowledged: Acknowledged): Promise<string[]> {
  const ended = once(process, 'exit')
  const early = ended.then(() => Promise.reject(new Error('The process ended before its first write')))
  await Promise.race([acknowledged.first, early])
  await delay(50 + Math.random() * 350)
  process.kill('SIGKILL')
  await ended
  // What it had printed before it died may still be on its way.
  await delay(5)
  return [...acknowledged.all]
}

/** Collects the lines that begin with a word, without it. */
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
