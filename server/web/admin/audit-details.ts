import { isKind } from '../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { DOMAIN_STATES } from '../domain/domains-page.js';
import { KIND_WORDS } from '../kinds.js';
import { OUTCOMES as REPORT_OUTCOMES } from '../moderation/reports-page.js';
import { ROLE_WORDS } from '../roles.js';

type Value = string | number | boolean | null;
type Details = Readonly<Record<string, Value>>;

/** What a detail says; null for what says nothing beside its event. */
const WORDS: Readonly<Record<string, (value: Value) => string | null>> = {
  role: (role) => t('Role: {role}', { role: wordsOf(ROLES, role) }),
  amount: (value) => t('{value, plural, one {# invite} other {# invites}}', { value: Number(value) }),
  fields: (names) =>
    t('Changed: {fields}', {
      fields: String(names)
        .split(' ')
        .map((name) => wordsOf(FIELDS, name))
        .join(', '),
    }),
  sessions: some((value) => t('{value, plural, one {# session ended} other {# sessions ended}}', { value })),
  keys: some((value) => t('{value, plural, one {# API key deleted} other {# API keys deleted}}', { value })),
  identities: some((value) =>
    t('{value, plural, one {# identity unlinked} other {# identities unlinked}}', { value }),
  ),
  passkeys: some((value) =>
    t('{value, plural, one {# passkey removed} other {# passkeys removed}}', { value }),
  ),
  files: some((count) => t('{count, plural, one {# file} other {# files}}', { count })),
  count: some((value) => t('{value, plural, one {# job} other {# jobs}}', { value })),
  minutes: (value) =>
    value === null
      ? t('until it is ended')
      : t('for {value, plural, one {# minute} other {# minutes}}', { value: Number(value) }),
  webhook: (value) => (value === true ? t('Webhook removed') : null),
  chatapp: (value) => (value === true ? t('Chat account unlinked') : null),
  messenger: (value) => (value === true ? t('Messenger unlinked') : null),
  removed: (value) => (value === true ? t('Picture removed') : null),
  on: (value) => (value === true ? t('Turned on') : t('Turned off')),
  provider: (value) => t('Through {provider}', { provider: String(value) }),
  collection: (value) => t('Collection {id}', { id: String(value) }),
  item: (value) => t('Item {id}', { id: String(value) }),
  report: (value) => t('Report {id}', { id: String(value) }),
  mailbox: (value) => t('Mailbox {id}', { id: String(value) }),
  key: (value) => t('Key {id}', { id: String(value) }),
  passkey: (value) => t('Passkey {id}', { id: String(value) }),
  tool: (value) => t('Tool: {name}', { name: String(value) }),
  state: (value) => wordsOf(STATES, value),
  action: (value) => wordsOf(OUTCOMES, value),
  kind: (value) => kindOf(String(value)),
  value: (value) => String(value),
  to: (value) => (value === '' ? t('to nobody') : t('to {target}', { target: wordsOf(STORES, value) })),
};

type Words = Readonly<Record<string, Message>>;

const ROLES: Words = ROLE_WORDS;
const FIELDS: Words = {
  username: msg('Username'),
  email: msg('E-mail address'),
  role: msg('Role'),
  passwordHash: msg('Password'),
  avatar: msg('Profile picture'),
  language: msg('Language'),
  metadata: msg('Metadata'),
  ocr: msg('Words in pictures'),
  name: msg('Name'),
  tagline: msg('Tagline'),
  logo: msg('Logo'),
  accent: msg('Accent colour'),
  banner: msg('Banner'),
  footerLinks: msg('Links in the footer'),
  privacy: msg('Privacy'),
  imprint: msg('Imprint'),
};
const STATES: Words = DOMAIN_STATES;
const OUTCOMES: Words = REPORT_OUTCOMES;
const KINDS: Words = {
  hash: msg('Content (SHA-256)'),
  network: msg('Network'),
  collection: msg('Collection'),
};
const STORES: Words = { LOCAL: msg('the disk'), S3: msg('the object store') };

const kindOf = (kind: string): string =>
  isKind(kind) ? translateMessage(KIND_WORDS[kind].noun) : wordsOf(KINDS, kind);

/** What a name of the program is called; one that is not known here, as it is. */
const wordsOf = (words: Words, name: Value): string => {
  const known = Object.hasOwn(words, String(name)) ? words[String(name)] : undefined;
  return known === undefined ? String(name) : translateMessage(known);
};

/** A number that is said if it is not 0. */
function some(say: (value: number) => string) {
  return (value: Value): string | null => (Number(value) === 0 ? null : say(Number(value)));
}

/** The details of an entry of the audit log, in words; those that are not known here, as they are. */
export const detailWords = (details: Details): string =>
  Object.entries(details)
    .map(([name, value]) =>
      Object.hasOwn(WORDS, name) && WORDS[name] ? WORDS[name](value) : `${name}: ${value}`,
    )
    .filter((words) => words !== null)
    .join(' · ');
