import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'

export type HttpResponse = { status: number; headers: IncomingHttpHeaders; text: string }

type HttpRequest = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

const agent = new Agent({ keepAlive: true })

/**
 * Sends a request with node:http on a keep-alive connection: `fetch` itself would take longer than most of what is
 * measured.
 */
export function request(url: string, { method = 'GET', headers = {}, body }: HttpRequest = {}): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
