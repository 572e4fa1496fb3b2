import { argv } from 'node:process'
import sharp from 'sharp'
import { routes } from '#contract/routes.ts'

/**
 * `node flood.js <url> <token> <kind> <clients>`: reports that it begins, and sends requests without pause until it is
 * killed. It has a process of its own because the benchmark times a colleague's pages meanwhile. Errors count as
 * responses, because the server defends itself against some floods by refusing them.
 */

const SEARCHES = ['mok', 'lera', 'harbour', 'cape']

const [, , url = '', token = '', kind = '', clients = ''] = argv
const authorization = `Bearer ${token}`

async function send(path: string, options: RequestInit = {}): Promise<void> {
  const response = await fetch(`${url}/api${path}`, { headers: { authorization }, ...options })
  await response.arrayBuffer()
}

async function drawPhoto(): Promise<Blob> {
  const photo = await sharp({ create: { width: 2_000, height: 1_500, channels: 3, background: '#1a7' } })
    .jpeg()
    .toBuffer()
  return new Blob([new Uint8Array(photo)], { type: 'image/jpeg' })
}

const photo = kind === 'uploads' ? await drawPhoto() : undefined

function sendOne(count: number): Promise<void> {
  switch (kind) {
    case 'sign-ins':
      return send(routes.auth.login.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `nobody${count}@example.com`, password: 'a wrong password' }),
      })
    case 'uploads': {
      const body = new FormData()
      if (photo) body.append('images', photo, 'photo.jpg')
      return send(routes.uploads.create.path, { method: 'POST', body })
    }
    case 'exports':
      return send(routes.bookings.export.path)
    case 'searches':
      return send(`${routes.search.find.path}?q=${SEARCHES[count % SEARCHES.length]}`)
    default:
      throw new Error(`No flood is called ${kind}`)
  }
}

process.stdout.write('sending\n')
let count = 0
const client = async () => {
  for (;;) await sendOne(count++)
}
await Promise.all(Array.from({ length: Number(clients) }, client))
