import { spawn, spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Runs a command to its end and returns its output; throws with its error output when it fails. */
export function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stderr || stdout}`)
  return stdout
}

/** Runs a command and returns whether it succeeded; does not throw, so it is suitable for cleaning up. */
export function attempt(command, ...args) {
  return spawnSync(command, args, { encoding: 'utf8' }).status === 0
}

const children = new Set()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts a process that writes to a log, and is ended with the drill at the latest. */
export function start(log, command, args, env = process.env) {
  const output = openSync(log, 'a')
  const child = spawn(command, args, { env, stdio: ['ignore', output, output] })
  child.once('error', (error) => process.stderr.write(`${command}: ${error.message}\n`))
  children.add(child)
  return child
}

/** Polls until `ask` returns a truthy value, and returns that; throws with what was awaited if it takes too long. */
export async function waitFor(what, ask, withinMs = 60_000) {
  const until = Date.now() + withinMs
  while (Date.now() < until) {
    const found = await Promise.resolve(ask()).catch(() => false)
    if (found) return found
    await pause(200)
  }
  throw new Error(`Waited ${withinMs / 1000} s in vain: ${what}`)
}
