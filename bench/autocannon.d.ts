/** The part of the load generator that the benchmark uses; the package ships no types. */
declare module 'autocannon' {
  type Request = {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
    /** Called before each request; what it returns is sent. */
    setupRequest?: (request: Request) => Request
  }
  type Options = {
    url: string
    headers?: Record<string, string>
    connections?: number
    duration?: number
    /** Seconds until a request counts as an error. */
    timeout?: number
    requests?: Request[]
  }
  type Result = {
    non2xx: number
    errors: number
    timeouts: number
    requests: { average: number; total: number }
    latency: { p50: number; p97_5: number; p99: number; max: number }
    statusCodeStats: Record<string, { count: number }>
  }
  export default function autocannon(options: Options): Promise<Result>
}
