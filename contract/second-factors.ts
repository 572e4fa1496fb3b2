import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, requiredText, timeText, version } from './fields.ts'
import { routes } from './routes.ts'

/** A code of the authenticator app, or a recovery code. */
export const secondFactorCode = requiredText('Code', 100)

const SecondFactorSchema = z.object({
  /** An authenticator app. */
  isSetUp: z.boolean(),
  /** Null while it is not set up. */
  since: z.nullable(timeText),
  /** How many passkeys there are: each is a second factor too. */
  passkeys: z.int(),
  recoveryCodesLeft: z.int(),
  /** Of everyone, by the platform's own setting: it cannot be turned off then. */
  isRequired: z.boolean(),
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

/** Whether everyone has to have a second factor. */
const RequirementSchema = z.object({
  isRequired: z.boolean(),
  /** Active staff, and those among them who have one. */
  staff: z.int(),
  staffWithSecondFactor: z.int(),
  /** Whether whoever asks has one, and may require it. */
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
  delete: endpoint(routes.secondFactors.delete, { ifMatch: 'optional', response: MessageSchema }),
  getRequirement: endpoint(routes.secondFactors.getRequirement, { response: RequirementSchema }),
  setRequirement: endpoint(routes.secondFactors.setRequirement, {
    ifMatch: 'optional',
    body: z.object({ isRequired: z.boolean('isRequired must be true or false') }),
    response: z.extend(RequirementSchema, MessageSchema.shape),
  }),
}
