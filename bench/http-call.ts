import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; text: string }

type HttpCall = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

const agent = new Agent({ keepAlive: true })

/** On a connection that stays, by node:http: in this process `fetch` takes longer than most of what is measured. */
export function call(url: string, { method = 'GET', headers = {}, body }: HttpCall = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString(),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
