import type { FieldError } from '#contract/errors.ts'
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
  refuse([...toFields(ownErrors), ...(schemas?.findFieldErrors(domain, name, body) ?? [])])
}

/** Throws the errors of a form whose body cannot be made yet. */
export function refuseOwn(ownErrors: OwnErrors): void {
  refuse(toFields(ownErrors))
}

const toFields = (errors: OwnErrors): FieldError[] =>
  Object.entries(errors).flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }]))

function refuse(fields: FieldError[]): void {
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
