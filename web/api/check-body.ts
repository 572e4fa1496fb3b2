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

/** Error messages by field, from rules that only the form has. They come before those of the contract. */
export type OwnErrors = Partial<Record<string, string | undefined>>

/** Loads the contract's schemas and the validator. Returns undefined on failure: then only the server validates. */
export function loadSchemas() {
  return import('./schemas.ts').catch(() => undefined)
}

/** Validates a body before it is sent. Throws the error that the server would respond with. */
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

/** Like `api`, but validates the body first. */
export async function submit<D extends Domain, N extends EndpointName<D>>(
  domain: D,
  name: N,
  options: RequestOptions<D, N>,
  ownErrors?: OwnErrors,
): Promise<ApiResponse<ResponseOf<D, N>>> {
  await checkBody(domain, name, options.body as RequestOptions<D, N>['body'], ownErrors)
  // RequestArguments always accepts options that are given.
  return api(domain, name, ...([options] as unknown as RequestArguments<D, N>))
}
