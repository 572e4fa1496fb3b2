import './no-eval.ts'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { FieldError } from '#contract/errors.ts'
import type { Domain } from './request-types.ts'

/** Validates a request body. The only module with the contract's schemas; the first form loads it (check-body.ts). */
export function findFieldErrors(domain: Domain, name: string, body: unknown): FieldError[] {
  // The endpoints of a domain have different types, which do not matter here.
  const schema = (endpoints[domain] as Record<string, Endpoint>)[name]?.body
  const issues = (schema && z.safeParse(schema, body).error?.issues) ?? []
  return issues.map(({ path, message }) => ({ path: path.join('.'), message }))
}
