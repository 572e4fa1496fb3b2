import type { MailContent } from './mail-template.ts'

/** The texts of each mail, as pure functions, so that the gallery can show them too. */

type About = {
  /** The receiver's name. */
  name: string
  email: string
  productName: string
  portalUrl: string
}

const toNote = ({ email, productName }: About, because: string) =>
  `This mail went to ${email} because ${because}. ${productName} never asks for your password in a mail.`

/** Invites a new staff member. Without a link, whoever made the account gives them the password. */
export function sayInvitation(
  about: About,
  { invitedBy, link }: { invitedBy: string; link?: string | undefined },
): MailContent {
  const { productName, portalUrl, email } = about
  return {
    subject: `Your ${productName} account`,
    name: about.name,
    paragraphs: [
      `${invitedBy} has created an account for you at ${productName}, the back office for pods and bookings.`,
      link === undefined
        ? `Sign in with your email address and the password that ${invitedBy} gives you. Then choose a password of your own under your name, at the foot of the menu.`
        : `Choose your password with the link below. ${LINK_TERMS}`,
    ],
    facts: { 'Email address': email, Portal: portalUrl },
    button:
      link === undefined
        ? { label: 'Sign in', href: `${portalUrl}/login` }
        : { label: 'Choose your password', href: link },
    note: toNote(about, 'an account was made for it'),
  }
}

const LINK_TERMS =
  'The link works once, within an hour. After that, ask for a new one with ‘Forgot password?’ where you sign in.'

/** Sent to staff who have forgotten their password, or for whom a colleague has asked for a new one. */
export function sayPasswordLink(
  about: About,
  { link, askedBy, at, from }: { link: string; askedBy: string | undefined; at: string; from: string | undefined },
): MailContent {
  const { productName } = about
  return {
    subject: `Choose a new ${productName} password`,
    name: about.name,
    paragraphs: [
      `${askedBy ?? 'Somebody'} has asked for a link to choose a new password for your ${productName} account. ${LINK_TERMS}`,
      'If you did not expect this, leave the link alone: your password stays as it is.',
    ],
    facts: { When: at, ...(from !== undefined && { From: from }) },
    button: { label: 'Choose a password', href: link },
    note: toNote(about, 'it belongs to this account'),
  }
}

/** Sent to staff whose password was changed. `changedBy` is undefined when they changed it themselves. */
export function sayPasswordChanged(
  about: About,
  { changedBy, at, from }: { changedBy: string | undefined; at: string; from: string | undefined },
): MailContent {
  const { productName, portalUrl } = about
  const who =
    changedBy === undefined
      ? `The password of your ${productName} account was changed.`
      : `${changedBy} has set a new password for your ${productName} account, and will give it to you.`
  return {
    subject: `Your ${productName} password was changed`,
    name: about.name,
    paragraphs: [
      `${who} You are signed out everywhere${changedBy === undefined ? ' else' : ''}.`,
      'If you did not expect this, tell a colleague who manages staff at once: they can block the account.',
    ],
    facts: { When: at, ...(from !== undefined && { From: from }) },
    button: { label: 'Sign in', href: `${portalUrl}/login` },
    note: toNote(about, 'it belongs to this account'),
  }
}

/** Sent to staff who have signed in from a network, or with a device, that was not used for their account lately. */
export function sayNewSignIn(
  about: About,
  { at, from, device }: { at: string; from: string; device: string },
): MailContent {
  const { productName, portalUrl } = about
  return {
    subject: `New sign-in to your ${productName} account`,
    name: about.name,
    paragraphs: [
      'Someone signed in to your account from a network or a device that was not used for it lately. If it was you, there is nothing to do.',
      'If it was not, change your password now, which ends all other sessions, and tell a colleague who manages staff.',
    ],
    facts: { When: at, From: from, With: device },
    button: { label: 'Open the portal', href: portalUrl },
    note: toNote(about, 'it belongs to this account'),
  }
}

export type SecondFactorNews =
  | 'set-up'
  | 'turned-off'
  | 'reset'
  | 'recovery-code'
  | 'app-removed'
  | 'passkey-added'
  | 'passkey-removed'

const secondFactorNews: Record<SecondFactorNews, string> = {
  'set-up':
    'A second factor was set up. From now on you sign in with your password and a code from your authenticator app.',
  'turned-off': 'The second factor was turned off. From now on your password alone signs you in.',
  reset:
    'A colleague removed your second factor and your passkeys, as you had lost them. You are signed out everywhere, and your password alone signs you in until you set up another.',
  'app-removed': 'Your authenticator app was removed as a second factor. Your passkeys are asked for as before.',
  'passkey-added': 'A passkey was added to your account. It signs you in, after your password or in its place.',
  'passkey-removed': 'A passkey was removed from your account. It signs nobody in any more.',
  'recovery-code': 'Someone signed in with your password and a recovery code. That code does not work again.',
}

/** Sent to staff whose second factor has changed, or was replaced by a recovery code at sign-in. */
export function saySecondFactor(about: About, { news, at }: { news: SecondFactorNews; at: string }): MailContent {
  const { productName, portalUrl } = about
  return {
    subject: `The second factor of your ${productName} account`,
    name: about.name,
    paragraphs: [
      secondFactorNews[news],
      `If ${news === 'reset' ? 'you did not expect this' : 'it was not you'}, change your password now, which ends all other sessions, and tell a colleague who manages staff.`,
    ],
    facts: { When: at },
    button: { label: 'Open the portal', href: portalUrl },
    note: toNote(about, 'it belongs to this account'),
  }
}
