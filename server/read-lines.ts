import type { Readable } from 'node:stream'

/**
 * Yields the lines of a text, and returns what follows the last line feed. `node:readline` would also split at
 * characters such as U+2028, which JSON does not escape.
 */
export async function* readLines(bytes: Readable): AsyncGenerator<string, string, void> {
  let rest = ''
  for await (const chunk of bytes.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = chunk.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
  }
  return rest
}
