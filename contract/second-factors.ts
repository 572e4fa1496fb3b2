import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, requiredText, timeText } from './fields.ts'
import { routes } from './routes.ts'

/** A code of the authenticator app, or a recovery code. */
export const secondFactorCode = requiredText('Code', 100)

const SecondFactorSchema = z.object({
  isSetUp: z.boolean(),
  /** Null while it is not set up. */
  since: z.nullable(timeText),
  recoveryCodesLeft: z.int(),
})
export type SecondFactor = z.infer<typeof SecondFactorSchema>

const NewKeySchema = z.object({
  /** Base32, to be typed where no camera is. */
  key: z.string(),
  /** The `otpauth:` address that the QR code holds. */
  uri: z.string(),
})
export type NewKey = z.infer<typeof NewKeySchema>

const RecoveryCodesSchema = z.extend(MessageSchema, { recoveryCodes: z.array(z.string()) })

export const secondFactorEndpoints = {
  get: endpoint(routes.secondFactors.get, { response: SecondFactorSchema }),
  create: endpoint(routes.secondFactors.create, { response: NewKeySchema }),
  confirm: endpoint(routes.secondFactors.confirm, {
    body: z.object({ code: secondFactorCode }),
    response: RecoveryCodesSchema,
  }),
  createRecoveryCodes: endpoint(routes.secondFactors.createRecoveryCodes, { response: RecoveryCodesSchema }),
  delete: endpoint(routes.secondFactors.delete, { ifMatch: 'optional', response: MessageSchema }),
}
