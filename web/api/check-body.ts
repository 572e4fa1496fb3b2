import { ApiError } from './api-error.ts'
import { api } from './client.ts'
import type {
  ApiResponse,
  Domain,
  EndpointName,
  RequestArguments,
  RequestOptions,
  ResponseOf,
} from './request-types.ts'

/** Rules of a form that the contract does not have, by field; they go before the contract's own. */
export type OwnErrors = Partial<Record<string, string | undefined>>

/** Loads the contract's schemas, and the validator with them. Without them the server checks alone. */
export function loadSchemas() {
  return import('./schemas.ts').catch(() => undefined)
}

/** Throws what the server would respond to a body that breaks the contract, before it is sent. */
export async function checkBody<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  body: RequestOptions<D, N>['body'],
  ownErrors: OwnErrors = {},
): Promise<void> {
  const schemas = await loadSchemas()
  const own = Object.entries(ownErrors).flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }]))
  const fields = [...own, ...(schemas?.findFieldErrors(domain, name, body) ?? [])]
  const [first] = fields
  if (first) throw new ApiError({ status: 400, code: 'invalid_input', message: first.message, fields })
}

/** Like `api`, for a form: checks the body first. */
export async function submit<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  options: RequestOptions<D, N>,
  ownErrors?: OwnErrors,
): Promise<ApiResponse<ResponseOf<D, N>>> {
  await checkBody(domain, name, options.body as RequestOptions<D, N>['body'], ownErrors)
  // Options that a form gives are never left out.
  return api(domain, name, ...([options] as unknown as RequestArguments<D, N>))
}
