import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import type { ServerProcess } from '../../support/servers/server-process.js';
import { Client } from '../clients/client.js';
import type { Place } from '../servers/place.js';
import { type Things, type WorstRequest, worstRequests } from './worst.js';

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
  /** Which requests are tried. */
  readonly of: (request: WorstRequest, index: number) => boolean;
}

/** What others noticed while one account sent its worst request on all of its connections. */
export interface Noticed {
  readonly name: string;
  /** Statuses of the answers to others, and the times they waited, in milliseconds. */
  readonly probes: readonly { readonly status: number; readonly ms: number }[];
  /** The most memory that the server has used so far, in MiB; null if the system does not tell. */
  readonly peakMib: number | null;
}

/** Sends a GET, discards the answer, and resolves with its status; 0 if it was cut. */
const discard = (url: string, key: string, agent: Agent): Promise<number> =>
  new Promise((resolve) => {
    const sent = get(url, { agent, headers: { 'x-api-key': key, accept: 'text/html' } }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
    });
    sent.once('error', () => resolve(0));
  });

/** The most memory that a server has used so far, in MiB; null if the system does not tell. */
export async function peakOf({ pid }: ServerProcess): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? null : Math.round(Number(kib) / 1024);
}

/** Fills an account with as much as its requests can ask for. */
async function fill(client: Client, texts: number): Promise<Things> {
  const many = <T>(count: number, make: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));
  const pastes = await many(texts, () =>
    client.json('POST', '/paste/create', { text: 'a'.repeat(1024 * 1024) }),
  );
  const images = await many(150, (index) => client.upload(Buffer.from(`text ${index}`), { name: 'a.txt' }));
  const imagesUids = images.map(({ uniqueId }) => uniqueId);
  const { message: playlist } = await client.json('POST', '/image/playlist/create', { imagesUids });
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
  return {
    ...{ url, image: imagesUids[0] ?? '', paste: pastes[0]?.uniqueId ?? '', playlist: playlist.uniqueId },
    ...{ email: mailbox.email, mail: mailbox.email, messageId },
  };
}

/**
 * One account sends the worst request of every kind on 64 connections, one kind after the other, while another asks for
 * small things. `noticed` is called after each kind.
 */
export async function tryToStall(
  place: Place,
  extent: Extent,
  noticed: (result: Noticed) => void,
): Promise<void> {
  const server = await place.start({ env: { EMAIL_INBOUND_TOKEN: TOKEN, LOG_LEVEL: 'silent' } });
  const owner = place.clientOf(server);
  const account = { username: 'greedy', email: 'greedy@example.org', password: 'correct horse battery' };
  const made = JSON.stringify({ ...account, role: 'USER' });
  await owner.send('POST', '/user/create', 'application/json', made);
  const { message } = await owner.json('POST', '/auth/login', account);
  const greedy = new Client(server.origin, message.apiKey);
  const things = await fill(greedy, extent.texts);
  greedy.close();
  const { uniqueId: small } = await owner.json('POST', '/url/create', { url: 'https://example.org/' });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  for (const [index, request] of worstRequests(extent.calls, things).entries()) {
    if (!extent.of(request, index)) continue;
    let loading = true;
    const load = Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        discard(`${server.origin}${request.path}`, message.apiKey, agent),
      ),
    ).finally(() => {
      loading = false;
    });
    const probes: { status: number; ms: number }[] = [];
    do {
      for (const path of [`/url/get/${small}`, '/user/get/@me']) {
        const begun = performance.now();
        const { status } = await owner.send('GET', path);
        probes.push({ status, ms: performance.now() - begun });
      }
    } while (loading);
    await load;
    noticed({ name: request.name, probes, peakMib: await peakOf(server) });
  }
  agent.destroy();
  if ((await server.stop()) !== 0) throw new Error(`the server ended badly:\n${server.output()}`);
}
