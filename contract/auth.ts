import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  email,
  idLike,
  MessageSchema,
  RenewedSchema,
  requiredPassword,
  requiredString,
  requiredText,
} from './fields.ts'
import { passkeyChallenge, RequestOptionsSchema, SignedCredentialSchema } from './passkeys.ts'
import { routes } from './routes.ts'
import { secondFactorCode } from './second-factors.ts'
import { SignedInStaffSchema, StaffSchema } from './staff.ts'

/** The login response repeats the user's fields at the top level (rules §3.3). */
const LoginResponseSchema = z.extend(SignedInStaffSchema, {
  token: z.string(),
  auth_page: z.array(z.string()),
  viewOnlyPages: StaffSchema.shape.viewOnlyPages,
  locations: StaffSchema.shape.locations,
  /** True when the password was generated; otherwise absent. The session can then only replace it. */
  mustReplacePassword: z.optional(z.boolean()),
  /**
   * True when everyone must have a second factor and the person has none; otherwise absent. The session can then only
   * set one up.
   */
  mustSetUpSecondFactor: z.optional(z.boolean()),
  user: SignedInStaffSchema,
  message: z.string(),
})
export type LoginResponse = z.infer<typeof LoginResponseSchema>

export const LoginBody = z.object({
  email: requiredText('Email Address', 254),
  password: requiredString('Password'),
})

export const CodeBody = z.object({
  /** From the error `second_factor_required`. */
  challenge: requiredText('The challenge'),
  code: secondFactorCode,
})

export const PasskeyBody = z.object({
  /** From the passkey options that replace the password, or from the error `second_factor_required`. */
  challenge: passkeyChallenge,
  credential: SignedCredentialSchema,
})

export const ChangePasswordBody = z.object({
  currentPassword: requiredString('Your current password'),
  newPassword: requiredPassword,
})

const linkToken = requiredText('The link')

const UsePasswordLinkBody = z.object({ token: linkToken, newPassword: requiredPassword })

/** The person whom a password link is for; `isNew` when they have never had a password. */
const PasswordLinkSchema = z.object({ firstname: z.string(), email: z.string(), isNew: z.boolean() })

const VerifyPageBody = z.object({
  id: z.optional(idLike('id')),
  auth_page: z.unknown(),
})

export const authEndpoints = {
  login: endpoint(routes.auth.login, { body: LoginBody, response: LoginResponseSchema }),
  signInWithCode: endpoint(routes.auth.signInWithCode, { body: CodeBody, response: LoginResponseSchema }),
  startPasskey: endpoint(routes.auth.startPasskey, { response: RequestOptionsSchema }),
  signInWithPasskey: endpoint(routes.auth.signInWithPasskey, { body: PasskeyBody, response: LoginResponseSchema }),
  verifyPage: endpoint(routes.auth.verifyPage, {
    body: VerifyPageBody,
    response: z.object({ success: z.boolean(), message: z.string() }),
  }),
  signOut: endpoint(routes.auth.signOut, { response: MessageSchema }),
  changePassword: endpoint(routes.auth.changePassword, {
    ifMatch: 'optional',
    body: ChangePasswordBody,
    response: RenewedSchema,
  }),
  requestPasswordLink: endpoint(routes.auth.requestPasswordLink, {
    body: z.object({ email: email('Email Address') }),
    response: MessageSchema,
  }),
  readPasswordLink: endpoint(routes.auth.readPasswordLink, {
    body: z.object({ token: linkToken }),
    response: PasswordLinkSchema,
  }),
  usePasswordLink: endpoint(routes.auth.usePasswordLink, { body: UsePasswordLinkBody, response: MessageSchema }),
  /** The passwords are in lower case. */
  commonPasswords: endpoint(routes.auth.commonPasswords, { response: z.array(z.string()) }),
}
