import fc from 'fast-check';
import { hostileName, hostileText, hostileValue } from './hostile.js';
import { beyond, type Schema, valuesOf } from './schema.js';

/** A field and its value; a list of them may contain a name twice. */
export type Entry = readonly [name: string, value: unknown];

/** A placeholder for something that exists only once the server runs; see `World.resolve`. */
const token = (name: string): string => `«${name}»`;

const IMAGES = ['mine', 'foreign', 'private', 'locked', 'deleted', 'picture', 'once'].map(
  (name) => `image.${name}`,
);
const PASTES = ['mine', 'foreign', 'private', 'locked', 'burn', 'deleted'].map((name) => `paste.${name}`);
const URLS = ['mine', 'foreign', 'locked', 'used', 'deleted'].map((name) => `url.${name}`);
const PLAYLISTS = ['playlist.mine', 'playlist.foreign'];
const COLLECTIONS = ['mine', 'foreign', 'private', 'viewed', 'joined', 'edited', 'offered'].map(
  (name) => `collection.${name}`,
);
const REQUESTS = ['request.mine', 'request.foreign'];
const SECRETS = ['image', 'paste', 'collection'].map((kind) => `secret.${kind}`);
const MAILBOXES = ['mailbox.mine', 'mailbox.foreign'];
const EMAILS = ['holder.email', 'stranger.email', 'keeper.email'];

/** Things by the field that refers to them, and the domain of the operation where that matters. */
const REFERENCES: Readonly<Record<string, readonly string[] | undefined>> = {
  'paste uniqueId': PASTES,
  'url uniqueId': URLS,
  'stats uniqueId': URLS,
  'image uniqueId': [...IMAGES, 'reserved'],
  'collection uniqueId': COLLECTIONS,
  'request uniqueId': REQUESTS,
  collection: COLLECTIONS,
  fileId: IMAGES,
  secret: SECRETS,
  linkId: ['link.image', 'link.paste', 'link.collection'],
  uniqueId: [...IMAGES, ...PASTES, ...URLS],
  id: [...IMAGES, ...PASTES, ...URLS, ...PLAYLISTS, ...COLLECTIONS, ...REQUESTS, 'session'],
  ids: IMAGES,
  identifier: PLAYLISTS,
  playlist: PLAYLISTS,
  imagesUids: IMAGES,
  imageUid: IMAGES,
  cover: IMAGES,
  uid: ['holder.uid', 'stranger.uid', 'keeper.uid', 'moderator.uid'],
  username: [...EMAILS, 'holder.username', 'stranger.username', 'keeper.uid'],
  'email email': MAILBOXES,
  mail: MAILBOXES,
  recipient: MAILBOXES,
  email: EMAILS,
  messageId: ['message.mine', 'message.foreign'],
  messageIds: ['message.mine', 'message.foreign'],
  'admin code': ['invite'],
  inviteCode: ['invite'],
  'library token': ['deletion'],
  'image token': ['upload'],
};

const DATES = [
  '2026-01-31',
  '2026-01-31 10:00',
  '2026-01-31T10:00:00.123+02:00',
  1_700_000_000,
  'never',
  '1h',
];
const SPAN_NAMES = ['TODAY', 'THIS_YEAR', 'LAST_60_MINUTES', 'LAST_90_DAYS', 'TOTAL', 'total'];
const ROLES = ['OWNER', 'ADMIN', 'MODERATOR', 'USER', 'TESTER', 'GUEST', 'BANNED', 'DELETED', 'user'];

/** Meaningful values by field name, where the schema accepts any text but the code interprets it. */
const VALUES: Readonly<Record<string, readonly unknown[] | undefined>> = {
  'collection role': ['viewer', 'adder', 'editor', 'owner'],
  'collection items': [[], ...IMAGES.map((name) => [{ uniqueId: token(name) }])],
  role: ROLES,
  preset: SPAN_NAMES,
  fromDate: DATES,
  toDate: DATES,
  from: DATES,
  to: [...DATES, 'someone@example.org', ['a@example.org', 'b@example.org']],
  expiresAt: [...DATES, Date.now() + 86_400_000],
  expiresIn: ['1h', '30d', 3600, 1],
  expireAt: DATES,
  source: ['API', 'portal', 'TELEGRAM'],
  metadata: ['strip', 'location', 'keep'],
  format: ['csv', 'json', 'discord', 'slack', 'webp', 'avif', 'jpeg', 'png'],
  image: ['PORTAL', 'SHORT', 'RAW', 'raw'],
  paste: ['PORTAL', 'SHORT', 'RAW'],
  'user url': ['PORTAL', 'https://127.0.0.1/', 'http://localhost:1/hook', 'https://hook.invalid/x'],
  url: ['https://example.org/', 'example.org/ü?a=b#c', 'http://user:pw@example.org/', 'http://localhost/'],
  status: ['ACTIVE', 'PENDING'],
  contentType: ['image/png', 'text/plain', 'video/mp4'],
  search: ['%', '_', '\\', 'a'],
  color: ['#fff', '#a1b2c3', 'random'],
  file: ['holdall.sh', 'holdall-image.sxcu', 'flameshot.sh'],
  state: ['OPEN', 'CLOSED', 'SUSPENDED'],
  kind: ['image', 'paste', 'url', 'video'],
  action: [
    'delete',
    'open',
    'close',
    'suspend',
    'revoke',
    'resend',
    'correct',
    'add',
    'remove',
    'up',
    'down',
    'save',
  ],
  confirmed: ['true'],
  service: ['messenger', 'chatapp'],
  query: ['width=100&format=webp', 'base64=true', 'download=1'],
  width: [1, 100, 320, 99_999],
};

/** Every correct password costs a hash; most requests omit it. */
const PASSWORDS = /password/i;
const passwords = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<unknown>('', null, undefined, 'x'.repeat(201), 5, ['x']) },
  { weight: 1, arbitrary: fc.constantFrom(token('password.item'), token('password.account')) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('ab', '\u0000', 'x'.repeat(200)) },
);

/** Valid values for a field: existing things, meaningful values, or any that fit. */
export function valuesFor(domain: string, name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (PASSWORDS.test(name)) return passwords;
  const references = REFERENCES[`${domain} ${name}`] ?? REFERENCES[name];
  const meant = VALUES[`${domain} ${name}`] ?? VALUES[name];
  const one = references === undefined ? null : fc.constantFrom(...references.map(token));
  const isList = schema.type === 'array' || schema.anyOf?.some(({ type }) => type === 'array') === true;
  return fc.oneof(
    { weight: 1, arbitrary: valuesOf(schema) },
    ...(one === null
      ? []
      : [{ weight: 4, arbitrary: isList ? fc.array(one, { minLength: 1, maxLength: 3 }) : one }]),
    ...(meant === undefined ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...meant) }]),
  );
}

/** The fields of an object schema: valid, and then possibly spoilt in one place or in several. */
export function entriesFor(domain: string, schema: Schema): fc.Arbitrary<readonly Entry[]> {
  const fields = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const asWanted = fc
    .tuple(
      ...fields.map(([name, field]) => {
        const value = valuesFor(domain, name, field).map((given): Entry => [name, given]);
        return required.has(name) ? value : fc.option(value, { freq: 1 });
      }),
    )
    .map((entries) => entries.filter((entry) => entry !== null && entry[1] !== undefined) as Entry[]);
  const spoilers = spoilersFor(fields);
  return fc.oneof(
    { weight: 5, arbitrary: asWanted },
    {
      weight: 5,
      arbitrary: fc
        .tuple(asWanted, fc.array(spoilers, { minLength: 1, maxLength: 3 }))
        .map(([entries, all]) => all.reduce((before, spoil) => spoil(before), entries as readonly Entry[])),
    },
  );
}

type Spoiler = (entries: readonly Entry[]) => readonly Entry[];

/** Ways to make a request invalid: a field with a wrong value, missing, repeated, or added. */
function spoilersFor(fields: readonly (readonly [string, Schema])[]): fc.Arbitrary<Spoiler> {
  const name = fields.length === 0 ? hostileName : fc.constantFrom(...fields.map(([field]) => field));
  const near = fields.flatMap(([field, schema]) => beyond(schema).map((value): Entry => [field, value]));
  const put = ([field, value]: Entry): Spoiler => {
    return (entries) => [...entries.filter(([other]) => other !== field), [field, value]];
  };
  // Avoids a password that would have to be hashed, see above.
  const harmless = (entry: Entry) => !PASSWORDS.test(entry[0]) || typeof entry[1] !== 'string';
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(name, hostileValue).filter(harmless).map(put) },
    {
      weight: 1,
      arbitrary: near.length === 0 ? hostileText.map(addTo('x')) : fc.constantFrom(...near).map(put),
    },
    {
      weight: 1,
      arbitrary: name.map(
        (field): Spoiler =>
          (entries) =>
            entries.filter(([other]) => other !== field),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(hostileName, hostileValue).map(([field, value]) => addTo(field)(value)),
    },
    { weight: 1, arbitrary: fc.tuple(name, hostileValue).map(([field, value]) => addTo(field)(value)) },
  );
}

const addTo =
  (field: string) =>
  (value: unknown): Spoiler =>
  (entries) => [...entries, [field, value]];
