import { readFile } from 'node:fs/promises';
import { Agent, request as ask, get } from 'node:http';
import { mapLimit } from '../../../routers/base/map-limit.js';
import type { ServerProcess } from '../../support/servers/server-process.js';
import { Client } from '../clients/client.js';
import type { Place } from '../servers/place.js';
import { type Files, type Things, type WorstRequest, worstRequests } from './worst.js';

/** Connections of the account that asks for too much. */
const CONNECTIONS = 64;

/** Secret of the worker that delivers the mail. */
const TOKEN = 'stall-worker';

/** The extent of a run. */
export interface Extent {
  /** Calls in one batch; the server takes 20. */
  readonly calls: number;
  /** Stored texts, in MiB. */
  readonly texts: number;
  /** Files in the largest collection; the server takes 5,000. */
  readonly files: number;
  /** Which requests are tried. */
  readonly of: (request: WorstRequest, index: number) => boolean;
}

/** The answer to a small request of somebody else, and how long that waited, in milliseconds. */
export interface Answered {
  readonly status: number;
  readonly ms: number;
}

/** What others noticed while one account sent its worst request on all of its connections. */
export interface Noticed {
  readonly name: string;
  /** Statuses of the answers to others, and the times they waited, in milliseconds. */
  readonly probes: readonly Answered[];
  /** The most memory that the server has used so far, in MiB; null if the system does not tell. */
  readonly peakMib: number | null;
}

/** Sends a request, discards the answer, and resolves with its status; 0 if it was cut. */
const discard = (
  origin: string,
  { method = 'GET', path, body }: WorstRequest,
  key: string,
  agent: Agent,
): Promise<number> =>
  new Promise((resolve) => {
    const headers = {
      ...{ 'x-api-key': key, accept: 'text/html' },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = ask(`${origin}${path}`, { agent, method, headers }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
    });
    sent.once('error', () => resolve(0));
    sent.end(body);
  });

/** The most memory that a server has used so far, in MiB; null if the system does not tell. */
export async function peakOf({ pid }: ServerProcess): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? null : Math.round(Number(kib) / 1024);
}

/** The longest playlist. */
const MAX_PLAYLIST = 1_000;

/** Fills an account with as much as its requests can ask for. */
async function fill(
  client: Client,
  { texts, files }: Extent,
): Promise<{ readonly things: Things; readonly files: Files }> {
  const many = <T>(count: number, make: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));
  const pastes = await many(texts, () =>
    client.json('POST', '/paste/create', { text: 'a'.repeat(1024 * 1024) }),
  );
  const ids: string[] = [];
  await mapLimit(CONNECTIONS, [...Array(files).keys()], async (index) => {
    ids.push((await client.upload(Buffer.from(`text ${index}`), { name: 'a.txt' })).uniqueId);
  });
  const imagesUids = ids.slice(0, MAX_PLAYLIST);
  const { message: playlist } = await client.json('POST', '/image/playlist/create', { imagesUids });
  const items = ids.map((uniqueId, index) => ({ uniqueId, path: `a folder/${index}.txt` }));
  const collection = await client.json('POST', '/collection', { title: 'large', items });
  const link = await client.json('POST', `/collection/${collection.uniqueId}/links`, {});
  const { uniqueId: url } = await client.json('POST', '/url/create', { url: 'https://example.org/' });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  await many(1_000, (index) => {
    const headers = { 'user-agent': `${index} `.padEnd(500, '"') };
    return new Promise<void>((resolve, reject) => {
      get(`${client.origin}/v1/url/r/${url}`, { agent, headers }, (answer) => {
        answer.resume();
        answer.once('end', resolve);
      }).once('error', reject);
    });
  });
  agent.destroy();
  const { message: mailbox } = await client.json('POST', '/email/create', {});
  const messageId = 'stall@example.net';
  const mail = {
    ...{ to: mailbox.email, from: 'ada@example.net', subject: 'long', messageId },
    text: '"'.repeat(6 * 1024 * 1024),
  };
  const answer = await fetch(`${client.origin}/v1/email/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-email-token': TOKEN },
    body: JSON.stringify(mail),
  });
  if (!answer.ok) throw new Error(`the mail was refused: ${answer.status} ${await answer.text()}`);
  const things = {
    ...{ collection: collection.uniqueId, secret: link.message.url.split('/').at(-1) },
    ...{ url, image: imagesUids[0] ?? '', paste: pastes[0]?.uniqueId ?? '', playlist: playlist.uniqueId },
    ...{ email: mailbox.email, mail: mailbox.email, messageId },
  };
  return { things, files: ids };
}

/** How often others write: seldom enough for their limit. */
const BETWEEN_WRITES_MS = 100;

/** Small requests of another account, which read and write: each waits for the one before. */
export function others(owner: Client, small: string): () => Promise<Answered[]> {
  let written = 0;
  const link = JSON.stringify({ url: 'https://example.org/' });
  return async () => {
    const sent: (() => Promise<{ readonly status: number }>)[] = [
      () => owner.send('GET', `/url/get/${small}`),
      () => owner.send('HEAD', `/url/get/${small}`),
      () => owner.send('GET', '/user/get/@me'),
    ];
    if (performance.now() - written > BETWEEN_WRITES_MS) {
      sent.push(() => owner.send('POST', '/url/create', 'application/json', link));
      written = performance.now();
    }
    const probes = [];
    for (const send of sent) {
      const begun = performance.now();
      const { status } = await send();
      probes.push({ status, ms: performance.now() - begun });
    }
    return probes;
  };
}

/** Asks again and again, at least once, until something is over. */
export async function during(
  probe: () => Promise<readonly Answered[]>,
  load: Promise<unknown>,
): Promise<Answered[]> {
  let loading = true;
  const over = load.finally(() => {
    loading = false;
  });
  const probes: Answered[] = [];
  do probes.push(...(await probe()));
  while (loading);
  await over;
  return probes;
}

/** An account of an ordinary user, by the name of its client. */
export async function newAccount(
  owner: Client,
  username: string,
): Promise<{ key: string; password: string }> {
  const account = { username, email: `${username}@example.org`, password: 'correct horse battery' };
  const made = JSON.stringify({ ...account, role: 'USER' });
  await owner.send('POST', '/user/create', 'application/json', made);
  const { message } = await owner.json('POST', '/auth/login', account);
  return { key: message.apiKey, password: account.password };
}

/** What is compared with: as many connections, and nothing large. */
const CONTROL: WorstRequest = { name: 'control', path: '/status' };

/**
 * One account sends the worst request of every kind on 64 connections, one kind after the other, while another asks for
 * small things. `noticed` is called after each kind.
 */
export async function tryToStall(
  place: Place,
  extent: Extent,
  noticed: (result: Noticed) => void,
): Promise<void> {
  const env = { EMAIL_INBOUND_TOKEN: TOKEN, LOG_LEVEL: 'silent' };
  const filled = await place.start({ env: { ...env, RATE_LIMIT: 'off' } });
  const first = place.clientOf(filled);
  const { key } = await newAccount(first, 'greedy');
  const greedy = new Client(filled.origin, key);
  const { things, files } = await fill(greedy, extent);
  greedy.close();
  await filled.stop();
  const server = await place.start({ env });
  const owner = place.clientOf(server);
  const { uniqueId: small } = await owner.json('POST', '/url/create', { url: 'https://example.org/' });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const probe = others(owner, small);
  const requests = worstRequests(extent.calls, things, files).filter(extent.of);
  for (const request of [CONTROL, ...requests]) {
    const load = Promise.all(
      Array.from({ length: CONNECTIONS }, () => discard(server.origin, request, key, agent)),
    );
    const probes = await during(probe, load);
    noticed({ name: request.name, probes, peakMib: await peakOf(server) });
  }
  agent.destroy();
  if ((await server.stop()) !== 0) throw new Error(`the server ended badly:\n${server.output()}`);
}
