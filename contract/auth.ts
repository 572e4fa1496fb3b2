import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MessageSchema, requiredPassword } from './fields.ts'
import { routes } from './routes.ts'

const LoginUserSchema = z.object({
  _id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
  role: z.string(),
})

/** The login response carries the user's fields at top level too (rules §3.3). */
const LoginResponseSchema = LoginUserSchema.extend({
  token: z.string(),
  auth_page: z.array(z.string()),
  user: LoginUserSchema,
  message: z.string(),
})
export type LoginResponse = z.infer<typeof LoginResponseSchema>

export const LoginBody = z.object({
  email: z
    .string({ error: 'Email Address is required' })
    .trim()
    .min(1, { error: 'Email Address is required' })
    .max(254),
  password: z.string({ error: 'Password is required' }).min(1, { error: 'Password is required' }).max(1000),
})

export const ChangePasswordBody = z.object({
  currentPassword: z
    .string({ error: 'Your present password is required' })
    .min(1, { error: 'Your present password is required' })
    .max(1000),
  newPassword: requiredPassword,
})

const VerifyPageBody = z.object({
  id: z.union([z.string(), z.object({ _id: z.string() }).transform((user) => user._id)]).optional(),
  auth_page: z.unknown(),
})

export const authEndpoints = {
  login: endpoint(routes.auth.login, { body: LoginBody, response: LoginResponseSchema }),
  verifyPage: endpoint(routes.auth.verifyPage, {
    body: VerifyPageBody,
    response: z.object({ success: z.boolean(), message: z.string() }),
  }),
  signOut: endpoint(routes.auth.signOut, { response: MessageSchema }),
  changePassword: endpoint(routes.auth.changePassword, { body: ChangePasswordBody, response: MessageSchema }),
  /** In lower case. */
  commonPasswords: endpoint(routes.auth.commonPasswords, { response: z.array(z.string()) }),
}
