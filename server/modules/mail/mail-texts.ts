import type { MailContent } from './mail-template.ts'

/** What each mail says. Plain functions, so that the gallery shows them too. */

type About = {
  /** Of whom it goes to. */
  name: string
  email: string
  productName: string
  portalUrl: string
}

const toNote = ({ email, productName }: About, because: string) =>
  `This mail went to ${email} because ${because}. ${productName} never asks for your password in a mail.`

/** To a new staff member. The password reaches them another way, from whoever made the account. */
export function sayInvitation(about: About, { invitedBy }: { invitedBy: string }): MailContent {
  const { productName, portalUrl, email } = about
  return {
    subject: `Your ${productName} account`,
    name: about.name,
    paragraphs: [
      `${invitedBy} has made an account for you at ${productName}, the back office for pods and bookings.`,
      `Sign in with your email address and the password that ${invitedBy} gives you. Then choose a password of your own: Change password, at the foot of the menu.`,
    ],
    facts: { 'Email address': email, Portal: portalUrl },
    button: { label: 'Sign in', href: `${portalUrl}/login` },
    note: toNote(about, 'an account was made for it'),
  }
}

/** To someone whose password is another now. `changedBy` is undefined when it was they. */
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
      `${who} You are signed out everywhere else.`,
      'If you did not expect this, tell a colleague who manages staff at once: they can block the account.',
    ],
    facts: { When: at, ...(from !== undefined && { From: from }) },
    button: { label: 'Sign in', href: `${portalUrl}/login` },
    note: toNote(about, 'it belongs to this account'),
  }
}

/** To someone who has signed in from where they never had before. */
export function sayNewSignIn(about: About, { at, from }: { at: string; from: string }): MailContent {
  const { productName, portalUrl } = about
  return {
    subject: `New sign-in to your ${productName} account`,
    name: about.name,
    paragraphs: [
      'Someone signed in to your account from a network that was not used for it lately. If it was you, nothing is to be done.',
      'If it was not, change your password now, which ends all other sessions, and tell a colleague who manages staff.',
    ],
    facts: { When: at, From: from },
    button: { label: 'Open the portal', href: portalUrl },
    note: toNote(about, 'it belongs to this account'),
  }
}
