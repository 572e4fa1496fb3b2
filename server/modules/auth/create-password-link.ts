import { HOUR } from '#contract/durations.ts'
import { type Config, toPortalUrl } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { createToken, toTokenHash } from '#server/http/session.ts'

const VALID_MS = HOUR

/** Creates a link, valid for an hour. Its token is known only here: the database stores a hash of it. */
export async function createPasswordLink({ config, clock }: AppContext, db: Db | Tx, staffId: string): Promise<string> {
  const token = createToken()
  const expires_at = new Date(clock.now().getTime() + VALID_MS)
  await db
    .insertInto('password_links')
    .values({ token_hash: toTokenHash(token), staff_id: staffId, expires_at })
    .execute()
  return toPasswordLink(config, token)
}

/** Puts the token after #, a part that browsers send to no server. */
export const toPasswordLink = (config: Config, token: string) => `${toPortalUrl(config)}/choose-password#${token}`

/** Ends the links of a person whose address or password has changed: whoever has one may not be the person any more. */
export async function deletePasswordLinks(tx: Tx, staffId: string): Promise<void> {
  await tx.deleteFrom('password_links').where('staff_id', '=', staffId).execute()
}
