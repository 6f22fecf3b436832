/** A way in which something of an account can be stored, and what all of them use. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LimitType } from '../../../../db/account/limits.js';
import { type Answer, fileForm, type TestAccount, type TestServer } from '../../../harness.js';
import { pathOf, tusOf } from '../tus.js';

/** A server, and whose things come in. */
export interface Place {
  readonly server: TestServer;
  readonly user: TestAccount;
}

/** What somebody sends, and until when it should live. */
export interface Sent {
  readonly bytes: Buffer;
  readonly expiresAt?: number | 'never';
}

/** Why something did not come in; null if it did. */
export type Refusal = string | null;

export interface Way {
  /** What is called with it. */
  readonly procedures: readonly string[];
  /** Where it becomes a row. */
  readonly table: 'images' | 'pastes' | 'short_urls';
  /** What it counts as. */
  readonly type: LimitType;
  /** Sends a file, or a text made of its bytes. */
  send(place: Place, sent: Sent): Promise<Refusal>;
  /** Why a rule does not hold for it, as docs/api.md or docs/moving-in.md says. */
  readonly exempt?: Readonly<Partial<Record<Rule, string>>>;
}

/** What may be restricted. */
export type Rule = 'types' | 'life' | 'wish' | 'limits' | 'pause';

/** The name of each file. */
export const NAME = 'a.bin';
let count = 0;
/** A name that nobody has. */
export const fresh = (): string => {
  count += 1;
  return `way${count}-${process.pid}`;
};

/** The text of a refusal. */
export const said = ({ status, body, text }: Answer): Refusal =>
  status < 300 ? null : String(body?.message ?? body?.error ?? text);
/** How long it should live, as a field. */
export const wish = ({ expiresAt }: Sent): Record<string, string> =>
  expiresAt === undefined ? {} : { expiresAt: String(expiresAt) };
/** Sends a form. */
export const post = async ({ server, user }: Place, path: string, form: FormData) =>
  said(await server.request('POST', path, { key: user.key, form }));
/** Sends fields. */
export const json = async ({ server, user }: Place, path: string, fields: object) =>
  said(await server.request('POST', path, { key: user.key, json: fields }));

/** Of what somebody else sends. */
export const NO_WISH = { wish: 'its sender cannot say how long it lives' } as const;
/** Of what is no file. */
export const NO_FILE = { types: 'types are those of files' } as const;

/** The fields of a form of a page, where a life is chosen in hours. */
export function pageForm({ bytes, expiresAt }: Sent, more: Record<string, string> = {}): FormData {
  const hours =
    typeof expiresAt === 'number' ? String((expiresAt - Date.now()) / 3_600_000) : (expiresAt ?? '');
  return fileForm(bytes, NAME, { expiresIn: hours, ...more });
}

/** The text of the refusal on a page. */
export async function fromPage({ server, user }: Place, path: string, form: FormData | URLSearchParams) {
  const { status, text } = await server.request('POST', `//web${path}`, {
    key: user.key,
    headers: { origin: server.origin },
    form,
  });
  return status < 400 ? null : text;
}

/** Serves bytes, so that the server can fetch them. */
export async function serving<T>(bytes: Buffer, work: (url: string) => Promise<T>): Promise<T> {
  const other = createServer((_, response) => response.end(bytes));
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  try {
    return await work(`http://127.0.0.1:${(other.address() as AddressInfo).port}/${NAME}`);
  } finally {
    other.closeAllConnections();
    other.close();
  }
}

/** Sends an upload in parts, as a guest of a link if there is one. */
export async function inParts({ server, user }: Place, sent: Sent, link: string | null, first: boolean) {
  const tus = tusOf(server);
  const { bytes } = sent;
  const begun = await tus.create(
    link === null ? user.key : undefined,
    bytes.length,
    { filename: NAME, ...wish(sent) },
    {
      ...(first ? { body: bytes } : {}),
      headers: link === null ? {} : { 'x-request-id': link },
    },
  );
  if (begun.status !== 201) return said(begun);
  if (!first) {
    const part = await tus.patch(pathOf(begun), 0, bytes);
    if (part.status !== 204) return said(part);
  }
  const { state, reason } = (await tus.settled(pathOf(begun))).body.message;
  return state === 'done' ? null : String(reason);
}
