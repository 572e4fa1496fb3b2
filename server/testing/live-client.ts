import { vi } from 'vitest'
import { routes } from '#contract/routes.ts'

type LiveEvent = { event: string; data: unknown }

/** Listens to GET /live at `url` as the portal does; resolves once the stream is ready. */
export async function listenLive(url: string, token: string) {
  const leave = new AbortController()
  const response = await fetch(`${url}/api${routes.live.stream.path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'accept-encoding': 'br, gzip' },
    signal: leave.signal,
  })
  const events: LiveEvent[] = []
  let text = ''
  let isEnded = false
  async function read(body: ReadableStream<Uint8Array>) {
    let rest = ''
    let last = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const part = decoder.decode(chunk, { stream: true })
      text += part
      rest += part
      // Looking through megabytes again with each part of them would take seconds.
      const isEnd = (last + part).includes('\n\n')
      last = part.slice(-1)
      if (!isEnd) continue
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
        if (event !== undefined && data !== undefined) events.push({ event, data: JSON.parse(data) })
      }
    }
  }
  if (!response.ok || !response.body) throw new Error(`GET /live gave ${response.status}: ${await response.text()}`)
  void read(response.body)
    .catch(() => undefined)
    .finally(() => {
      isEnded = true
    })
  const client = {
    response,
    /** Returns the data of all events of one kind so far. */
    list: (event: string) => events.flatMap((one) => (one.event === event ? [one.data] : [])),
    text: () => text,
    isEnded: () => isEnded,
    waitFor: (assert: () => void) => vi.waitFor(assert, { timeout: 10_000, interval: 10 }),
    leave: () => leave.abort(),
  }
  await client.waitFor(() => {
    if (client.list('ready').length === 0) throw new Error('The stream is not ready')
  })
  return client
}
