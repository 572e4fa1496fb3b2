import { Connection, type PoolClient } from 'pg'

/** What the driver's objects have beyond their types. */
type ClientSecrets = { processID: number; secretKey: number; ssl: object | boolean; sslNegotiation?: string }
type CancelConnection = Connection & {
  connect(...address: [port: number, host: string] | [path: string]): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

/** As long as a server may take to answer anything. */
const LONGEST_MS = 5_000

/**
 * Asks PostgreSQL to end what runs on the client's connection, by a second connection, as its protocol has it. Resolves
 * once the server has done so and closed that one: nothing that the client is sent from then on is meant. Rejects when
 * that cannot be known.
 */
export function requestCancel(client: PoolClient): Promise<void> {
  const { processID, secretKey, ssl, sslNegotiation } = client as unknown as ClientSecrets
  const connection = new Connection({ ssl, sslNegotiation } as object) as CancelConnection
  const send = () => connection.cancel(processID, secretKey)
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => connection.stream.destroy(new Error('The server did not answer')), LONGEST_MS)
    connection.once('connect', () => {
      if (!ssl) send()
      else if (sslNegotiation !== 'direct') connection.requestSsl()
    })
    connection.once('sslconnect', send)
    connection.on('error', reject)
    connection.once('end', () => {
      clearTimeout(timer)
      resolve()
    })
    const isSocket = client.host.startsWith('/')
    connection.connect(
      ...(isSocket ? ([`${client.host}/.s.PGSQL.${client.port}`] as const) : ([client.port, client.host] as const)),
    )
  })
}
