import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, requiredText, timeText, version } from './fields.ts'
import { routes } from './routes.ts'

/** A code of the authenticator app, or a recovery code. */
export const secondFactorCode = requiredText('Code', 100)

const SecondFactorSchema = z.object({
  /** Whether an authenticator app is set up. */
  isSetUp: z.boolean(),
  /** Null while no authenticator app is set up. */
  since: z.nullable(timeText),
  /** The number of passkeys, each of which is a second factor too. */
  passkeys: z.int(),
  recoveryCodesLeft: z.int(),
  /** Whether the platform requires a second factor of everyone; it cannot be turned off then. */
  isRequired: z.boolean(),
})
export type SecondFactor = z.infer<typeof SecondFactorSchema>

const NewKeySchema = z.object({
  /** The key in Base32, for typing it in when there is no camera. */
  key: z.string(),
  /** The `otpauth:` URI that the QR code contains. */
  uri: z.string(),
})
export type NewKey = z.infer<typeof NewKeySchema>

const RecoveryCodesSchema = z.extend(MessageSchema, { recoveryCodes: z.array(z.string()) })

/** Whether everyone has to have a second factor. */
const RequirementSchema = z.object({
  isRequired: z.boolean(),
  /** The number of active staff, and of those among them who have a second factor. */
  staff: z.int(),
  staffWithSecondFactor: z.int(),
  /** Whether the person who asks has a second factor; only then may they require one. */
  isOwnSetUp: z.boolean(),
  version,
})
export type Requirement = z.infer<typeof RequirementSchema>

export const secondFactorEndpoints = {
  get: endpoint(routes.secondFactors.get, { response: SecondFactorSchema }),
  create: endpoint(routes.secondFactors.create, { response: NewKeySchema }),
  confirm: endpoint(routes.secondFactors.confirm, {
    body: z.object({ code: secondFactorCode }),
    response: RecoveryCodesSchema,
  }),
  createRecoveryCodes: endpoint(routes.secondFactors.createRecoveryCodes, { response: RecoveryCodesSchema }),
  delete: endpoint(routes.secondFactors.delete, { ifMatch: 'unused', response: MessageSchema }),
  getRequirement: endpoint(routes.secondFactors.getRequirement, { response: RequirementSchema }),
  setRequirement: endpoint(routes.secondFactors.setRequirement, {
    ifMatch: 'optional',
    body: z.object({ isRequired: z.boolean('isRequired must be true or false') }),
    response: z.extend(RequirementSchema, MessageSchema.shape),
  }),
}
