import { type Client, sha256, Unexpected } from './client.js';
import type { Ledger } from './ledger.js';
import { sendPart } from './parts.js';
import type { Random } from './random.js';
import { ARCHIVED, type Samples, withComment } from './samples.js';

/** A client with what it needs to make requests and to record their results. */
export interface Actor {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly samples: Samples;
  /** Bytes that are uploaded again and again. */
  readonly shared: readonly Buffer[];
}

/** One request and, once it is answered, its entry in the ledger. */
export type Action = (actor: Actor) => Promise<void>;

/** The paths of the texts that the load changes. */
export const SETTINGS_PATH = '/user/get/@me/settings/webhook';
const SETTINGS = ['title', 'description', 'authorName'];

/** Every action with its share of the load. */
export const ACTIONS: readonly (readonly [share: number, action: Action])[] = [
  [24, (actor) => upload(actor, actor.random.bytes(actor.random.between(1, 60_000)))],
  [8, (actor) => upload(actor, actor.random.pick(actor.shared))],
  [4, uploadPhoto],
  [12, sendPart],
  [1, uploadArchive],
  [16, paste],
  [2, (actor) => shorten(actor, actor.random.between(1, 30))],
  [25, visit],
  [10, remove],
  [6, changeSetting],
  [3, invite],
  [1, register],
];

async function upload({ client, ledger }: Actor, bytes: Buffer): Promise<void> {
  const { uniqueId } = await client.upload(bytes);
  ledger.uploads.set(uniqueId, sha256(bytes));
}

/** A photo is served without its camera metadata, so its hash is the one that the server reports. */
async function uploadPhoto({ client, ledger, random, samples }: Actor): Promise<void> {
  const photo = withComment(random.pick(samples.photos), random.bytes(40));
  const { uniqueId, message } = await client.upload(photo, { name: 'photo.jpg' });
  ledger.uploads.set(uniqueId, message.sha256);
}

async function uploadArchive({ client, ledger, samples }: Actor): Promise<void> {
  const { uniqueId, message } = await client.upload(samples.archive, {
    path: '/image/upload/zip',
    name: 'photos.zip',
  });
  const ids: string[] = message.images.map((image: { uniqueId: string }) => image.uniqueId);
  if (ids.length !== ARCHIVED) throw new Error(`the playlist has ${ids.length} images`);
  ledger.playlists.set(uniqueId, ids);
}

async function paste({ client, ledger, random }: Actor): Promise<void> {
  const text = random.bytes(random.between(1, 2000)).toString('base64');
  ledger.pastes.set((await client.json('POST', '/paste/create', { text })).uniqueId, text);
}

/** Two parts of a link, the first of which three visits in four take. */
const PARTS = [
  { url: 'https://example.org/a', weight: 3 },
  { url: 'https://example.org/b', weight: 1 },
];

/** Creates a link with a number of uses; null: unlimited. Its visits are parted, if that is asked for. */
export async function shorten(
  { client, ledger }: Actor,
  maxUses: number | null,
  parted = false,
): Promise<void> {
  const ways = parted ? { split: PARTS } : {};
  const { uniqueId } = await client.json('POST', '/url/create', {
    ...{ url: 'https://example.org/', maxUses },
    ...ways,
  });
  ledger.links.set(uniqueId, { sent: 0, answered: 0, maxUses });
}

async function visit({ client, ledger, random }: Actor): Promise<void> {
  const [id, link] = random.pick([...ledger.links]);
  link.sent += 1;
  const answer = await client.send('GET', `/url/r/${id}`);
  if (answer.status === 301 || answer.status === 302) link.answered += 1;
  else if (answer.status !== 404 || (link.maxUses === null && ledger.links.has(id)))
    throw new Unexpected(`visit of ${id}`, answer);
}

async function remove({ client, ledger, random }: Actor): Promise<void> {
  const [kind, items] = random.pick([
    ['image', ledger.uploads],
    ['image', ledger.uploads],
    ['paste', ledger.pastes],
    ['url', ledger.links],
  ] as const);
  // Some are kept for other actions.
  if (items.size < 4) return;
  const id = random.pick([...items.keys()]);
  // From here on it may or may not exist, until the deletion is acknowledged.
  items.delete(id);
  await client.ask('DELETE', `/${kind}/get/${id}`);
  ledger.gone.add(`/${kind}/get/${id}`);
}

async function changeSetting({ client, ledger, random }: Actor): Promise<void> {
  const name = random.pick(SETTINGS);
  const setting = ledger.settings.get(name) ?? { held: null, sent: null };
  // With two concurrent changes the last one would be unknown.
  if (setting.sent !== null) return;
  ledger.settings.set(name, setting);
  setting.sent = random.bytes(12).toString('hex');
  const change = JSON.stringify({ [name]: setting.sent });
  const answer = await client.send('PATCH', SETTINGS_PATH, 'application/json', change);
  if (answer.status !== 204) throw new Unexpected(`change of ${name}`, answer);
  setting.held = setting.sent;
  setting.sent = null;
}

async function invite({ client, ledger }: Actor): Promise<void> {
  const { message } = await client.json('POST', '/admin/invite/create', {});
  ledger.invites.add(message.code);
}

async function register({ client, ledger, random }: Actor): Promise<void> {
  if (ledger.invites.size === 0) return;
  const inviteCode = random.pick([...ledger.invites]);
  // Whether it is used up is unknown until the account is acknowledged.
  ledger.invites.delete(inviteCode);
  const username = `u${random.bytes(8).toString('hex')}`;
  const person = { username, email: `${username}@example.org`, password: 'long enough', inviteCode };
  await client.json('POST', '/auth/register', person);
  ledger.accounts.set(username, inviteCode);
}
