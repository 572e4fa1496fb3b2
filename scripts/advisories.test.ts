import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readAudit } from './advisories.mjs'

const weakness = (severity: string) => ({
  name: 'fastify',
  severity,
  via: [{ title: 'Requests are smuggled', range: '<6.0.0', url: 'https://example.com/advisory' }, 'find-my-way'],
  fixAvailable: true,
})

const answer = (severities: string[]) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(severities.map((severity) => [severity, weakness(severity)])),
    metadata: { vulnerabilities: { total: severities.length } },
  })

describe('known weaknesses', () => {
  it.each(['high', 'critical'])('fail the check when %s, and are named', (severity) => {
    expect(readAudit(answer([severity, 'low']))).toEqual({
      passes: false,
      lines: [
        `${severity}: fastify: Requests are smuggled (<6.0.0) https://example.com/advisory; by find-my-way (a fix is there)`,
        'low: fastify: Requests are smuggled (<6.0.0) https://example.com/advisory; by find-my-way (a fix is there)',
        '2 packages of production with a known weakness, 1 of them high or critical',
      ],
    })
  })

  it('pass the check when low or moderate, and are named', () => {
    const { passes, lines } = readAudit(answer(['low', 'moderate']))
    expect(passes).toBe(true)
    expect(lines.slice(0, -1)).toEqual([
      expect.stringMatching('^low: fastify: Requests are smuggled'),
      expect.stringMatching('^moderate: fastify: Requests are smuggled'),
    ])
    expect(readAudit(answer([])).lines).toEqual([
      '0 packages of production with a known weakness, 0 of them high or critical',
    ])
  })

  it.each([
    ['there is no answer', '', 'npm audit gave no answer in time'],
    [
      'the registry keeps none',
      '{"message":"405 Method Not Allowed","error":{"summary":""}}',
      '405 Method Not Allowed',
    ],
    ['npm fails', '{"error":{"code":"ENOLOCK","summary":"This command requires a lockfile"}}', 'This command requires'],
  ])('are reported as not checked when %s', (_, output, reason) => {
    const { passes, lines } = readAudit(output)
    expect(passes).toBe(true)
    expect(lines).toEqual([expect.stringContaining(`NOT CHECKED for known weaknesses: ${reason}`)])
  })
})

/** Returns the command's output and exit code when the registry responds in the given way. */
async function checkAt(answerRequest: RequestListener) {
  const registry = createServer(answerRequest).listen(0, '127.0.0.1')
  await new Promise((resolve) => registry.once('listening', resolve))
  const { port } = registry.address() as AddressInfo // listening on TCP
  // A fresh cache, because npm caches what it has computed from an advisory.
  const cache = mkdtempSync(join(tmpdir(), 'podkeeper-npm-'))
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/advisories.mjs'], { env })
    return { code: 0, stdout }
  } catch (error) {
    return error as { code: number; stdout: string } // the shape of execFile's errors
  } finally {
    registry.closeAllConnections()
    registry.close()
    rmSync(cache, { recursive: true, force: true })
  }
}

describe('the advisories command', { timeout: 60_000 }, () => {
  it('checks the packages of the lock file, and fails for one with a known weakness', async () => {
    const advisory = {
      id: 1,
      url: 'https://example.com/1',
      title: 'Queries are not escaped',
      severity: 'high',
      vulnerable_versions: '>=0.0.1',
    }
    const { code, stdout } = await checkAt((request, response) => {
      request.resume()
      const answer = request.method === 'POST' ? { kysely: [advisory] } : { name: 'kysely', versions: {} }
      response.end(JSON.stringify(answer))
    })
    expect(stdout).toContain('high: kysely: Queries are not escaped (>=0.0.1) https://example.com/1')
    expect(code).toBe(1)
  })

  it('passes without waiting for a registry that hangs, and says that nothing was checked', async () => {
    const { code, stdout } = await checkAt(() => undefined)
    expect(stdout).toContain('NOT CHECKED')
    expect(code).toBe(0)
  })
})
