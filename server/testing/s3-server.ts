import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { S3mini } from 's3mini'
import { findFreePort, killProcess } from './server-process.ts'

/** The only key and bucket that the store knows. */
const KEY = 'S3RVER'
const BUCKET = 'podkeeper'
/** The store encrypts its pagination tokens with DES. */
const OLD_CIPHERS = '--openssl-legacy-provider'

/** Starts an S3 store that checks signatures, with a folder and a process of its own. */
export async function startS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 'podkeeper-s3-'))
  const port = await findFreePort()
  const endpoint = `http://127.0.0.1:${port}`
  const client = new S3mini({ accessKeyId: KEY, secretAccessKey: KEY, endpoint: `${endpoint}/${BUCKET}` })
  const script = fileURLToPath(new URL('./s3-store.mjs', import.meta.url))
  let store: ChildProcess | undefined

  const start = async () => {
    const args = [OLD_CIPHERS, script, String(port), directory, BUCKET]
    const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    store = started
    await Promise.race([
      once(started.stdout, 'data'),
      once(started, 'close').then(() => Promise.reject(new Error('The store has not started'))),
    ])
  }
  const kill = () => killProcess(store)
  await start()
  return {
    /** The settings of a server that keeps its images in this store. */
    settings: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
      S3_PREFIX: 'tests',
    },
    client,
    start,
    kill,
    listKeys: async () => (await client.listObjects())?.map(({ Key }) => Key).sort() ?? [],
    remove: async () => {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
