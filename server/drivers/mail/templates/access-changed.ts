import type {
  AccessChange,
  AccessChangedData,
  MailContent,
} from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

const SENTENCES: Readonly<Record<AccessChange['what'], (name: string) => string>> = {
  keyCreated: (name) => `The API key "${name}" was created for your account.`,
  keyChanged: (name) => `What the API key "${name}" of your account may do, or its name, was changed.`,
  keyDeleted: (name) => `The API key "${name}" of your account was deleted.`,
  mainKeyReplaced: () => 'The main API key of your account was replaced.',
  mainKeyOff: () => 'The main API key of your account was switched off.',
  passkeyAdded: (name) =>
    `The passkey "${name}" was added to your account. Anyone who has it can sign in as you.`,
  passkeyRenamed: (name) => `A passkey of your account is now called "${name}".`,
  passkeyRemoved: (name) => `The passkey "${name}" was removed from your account.`,
  identityLinked: (name) =>
    `An account at ${name} was linked to your account. Anyone who uses it can sign in as you.`,
  identityUnlinked: (name) => `An account at ${name} was unlinked from your account.`,
  chatUnlinked: (name) => `The chat account ${name} was unlinked from your account.`,
  messengerLinked: (name) => `The messenger account ${name} was linked to your account.`,
  messengerUnlinked: () => 'The messenger account was unlinked from your account.',
  secondFactorOn: () => 'Two-step sign-in was turned on for your account.',
  secondFactorOff: () => 'Two-step sign-in was turned off for your account.',
  recoveryCodesRenewed: () =>
    'New recovery codes for two-step sign-in were made for your account; the old ones no longer work.',
  sessionsEnded: () => 'Sessions of your account were ended.',
  everythingEnded: () =>
    'All access to your account was ended: other sessions, keys, passkeys, linked accounts and the webhook.',
  passwordChanged: () => 'The password of your account was changed.',
  passwordSet: () =>
    'A new password was set for your account, which ended all sessions, keys and linked accounts.',
  signInLinkMade: () =>
    'Whoever runs this service made a link that signs in to your account once, within 15 minutes.',
};

/** Tells users that a way into their account was added or removed. */
export function accessChangedMail(
  { username, change, settingsLink }: AccessChangedData,
  service: string,
): MailContent {
  return layOut(
    `The access to your ${service} account was changed`,
    [
      { kind: 'text', text: `Hello ${username},` },
      { kind: 'text', text: SENTENCES[change.what](change.name ?? '') },
      { kind: 'link', label: 'See who has access', url: settingsLink },
    ],
    'If this was not you, set a new password by mail: that ends everything an intruder may have.',
  );
}
