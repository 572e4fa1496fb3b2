import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { examples } from '#contract/examples.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { createOpenApiDocument } from './openapi.ts'

const test = useTestApp()

type Parts = { query?: unknown; body?: unknown; response?: unknown }
type Operation = {
  parameters: { name: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { content: Record<string, { example?: unknown }> }>
}

const { paths } = createOpenApiDocument('Podkeeper') as { paths: Record<string, Record<string, Operation>> }
const calls = Object.entries(examples).flatMap(([group, ofGroup]) =>
  Object.entries(ofGroup as Record<string, Parts>).map(([name, example]) => {
    const endpoint = (endpoints as Record<string, Record<string, Endpoint>>)[group]?.[name]
    if (!endpoint) throw new Error(`There is no ${group}.${name}`)
    return [`${group}.${name}`, endpoint, example] as const
  }),
)

describe('examples of the API', () => {
  it.each(calls)('match the schemas of %s, and are shown in the document', (_, endpoint, example) => {
    for (const part of ['query', 'body', 'response'] as const) {
      expect(z.safeParse(endpoint[part] ?? z.undefined(), example[part]).error?.issues ?? [], part).toEqual([])
    }
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const operation = paths[path]?.[endpoint.method.toLowerCase()]
    const shown = (content: Record<string, { example?: unknown }> = {}) => Object.values(content)[0]?.example
    expect(shown(operation?.requestBody?.content)).toEqual(example.body)
    expect(shown(operation?.responses[String(endpoint.status ?? 200)]?.content)).toEqual(example.response)
    for (const [name, value] of Object.entries(example.query ?? {})) {
      expect(operation?.parameters.find((parameter) => parameter.name === name)?.example).toEqual(value)
    }
  })

  it('are of endpoints that respond alike with and without /api', async () => {
    const { token } = await test.signIn()
    for (const [name, { method, path }] of calls) {
      const url = path.replace(/:\w+/g, '0193b0c4-7a13-7a58-9d0e-2f4b6c8e0a14')
      const headers = { authorization: `Bearer ${token}`, 'if-match': '"1"' }
      const answers = []
      for (const prefix of ['', '/api']) {
        const { statusCode, body } = await test.app.inject({ method, url: `${prefix}${url}`, headers })
        answers.push([statusCode, body.includes('"Not found."')])
      }
      expect(answers[0], name).toEqual(answers[1])
      expect(answers[0]?.[1], name).toBe(false)
    }
  })
})

describe('the body of an upload', () => {
  it('is described by the part that its endpoint reads', () => {
    const readParts = (path: string) => paths[path]?.post?.requestBody?.content['multipart/form-data']
    const file = { type: 'string', format: 'binary' }
    expect(readParts('/api/upload')).toMatchObject({ schema: { properties: { images: { items: file } } } })
    expect(readParts('/api/activity/import')).toMatchObject({ schema: { properties: { file }, required: ['file'] } })
  })
})
