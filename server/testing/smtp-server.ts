import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeEach } from 'vitest'

type ReceivedMail = { from: string; to: string; id: string; subject: string; text: string; source: string }

/** Starts a mail server that keeps the mails it receives, on a port of its own. */
export async function startSmtpServer() {
  const mails: ReceivedMail[] = []
  const replies = { sender: '250 OK', recipient: '250 OK', mail: '250 2.0.0 taken as 4711' }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    // A client that is killed leaves in the middle of the conversation.
    talk(socket).catch(() => undefined)
  })

  async function talk(socket: Socket) {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let envelope = { from: '', to: '' }
    let source: string[] | undefined
    say('220 mail.example.com ESMTP')
    for await (const line of createInterface({ input: socket })) {
      if (source) {
        if (line !== '.') {
          source.push(line.replace(/^\./, ''))
          continue
        }
        if (replies.mail.startsWith('2')) mails.push({ ...envelope, ...parse(source.join('\n')) })
        source = undefined
        say(replies.mail)
      } else if (/^DATA/i.test(line)) {
        source = []
        say('354 go on')
      } else if (/^MAIL FROM/i.test(line)) {
        envelope = { from: toAddress(line), to: '' }
        say(replies.sender)
      } else if (/^RCPT TO/i.test(line)) {
        envelope.to = toAddress(line)
        say(replies.recipient)
      } else if (/^QUIT/i.test(line)) {
        socket.end('221 bye\r\n')
      } else say('250 OK')
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listening on TCP
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** The accepted mails. */
    mails,
    /** The replies to a sender, a recipient and a mail, which tests may change. */
    replies,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Starts a mail server for the tests of a file; before each, it has no mails and accepts all. */
export async function useSmtpServer() {
  const smtp = await startSmtpServer()
  const accepting = { ...smtp.replies }
  afterAll(() => smtp.stop())
  beforeEach(() => {
    smtp.mails.length = 0
    Object.assign(smtp.replies, accepting)
  })
  return smtp
}

const toAddress = (line: string) => /<(.*)>/.exec(line)?.[1] ?? ''

function parse(source: string) {
  const unfolded = source.replaceAll(/\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? ''
  // The plain text comes first of the two parts.
  const part = /Content-Type: text\/plain[\s\S]*?\n\n([\s\S]*?)\n--/.exec(source)?.[1] ?? ''
  return { id: header('Message-ID'), subject: header('Subject'), text: decodeQuotedPrintable(part), source }
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
