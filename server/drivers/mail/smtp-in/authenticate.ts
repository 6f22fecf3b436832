import { Resolver } from 'node:dns/promises';
import { Readable } from 'node:stream';
import type { Log } from '../../../../routers/ports/log.js';
import type { AuthenticateMail } from '../../../../routers/ports/mail-tools.js';
import { within } from '../../../../routers/text/within.js';

const ANSWER_MS = 10_000;
/** How long DNS is believed to be there, or away. */
const BELIEF_MS = 10 * 60_000;
const PROBE_MS = 3_000;
/** Names that are looked up for one message. SPF alone may need 20 (RFC 7208). */
const MAX_LOOKUPS = 60;
/** Each may be about another part of the message, which is hashed once for each. */
const MAX_SIGNATURES = 20;
const SIGNATURE = /^DKIM-Signature[ \t]*:/gim;
const MAX_HEAD = 1024 * 1024;
const CHUNK = 64 * 1024;

/** How senders are checked. */
export interface AuthenticationOptions {
  /** The name of this server. */
  readonly mta: string;
  /** Addresses of DNS servers, with or without a port; null for those of the system. */
  readonly resolvers: readonly string[] | null;
  /** After which a check is given up. */
  readonly answerMs?: number;
}

/**
 * Checks SPF, DKIM and DMARC of a message (RFC 7208, 6376, 7489). Null without DNS, for a message with more signatures
 * than an honest one has, and if the answers take too long, after which nothing of the check goes on: what is not known
 * is never held against a sender.
 */
export function openAuthentication(
  { mta, resolvers, answerMs = ANSWER_MS }: AuthenticationOptions,
  log: Log,
): AuthenticateMail {
  const open = (): Resolver => {
    const resolver = new Resolver({ timeout: Math.min(PROBE_MS, answerMs), tries: 2 });
    if (resolvers !== null) resolver.setServers(resolvers);
    return resolver;
  };
  let believed: { readonly until: number; readonly hasDns: Promise<boolean> } | null = null;
  const hasDns = (): Promise<boolean> => {
    if (believed === null || believed.until < performance.now())
      believed = { until: performance.now() + BELIEF_MS, hasDns: probe(open()) };
    return believed.hasDns;
  };
  return async (message, { sender }, { address, name }) => {
    if (isTooMuch(message) || !(await hasDns())) return null;
    const resolver = open();
    const source = Readable.from(chunksOf(message));
    let lookups = 0;
    let isOver = false;
    const lookUp = async (asked: string, type: string) => {
      lookups += 1;
      if (isOver || lookups > MAX_LOOKUPS) throw Object.assign(new Error('too late'), { code: 'ETIMEOUT' });
      // The library knows the types of other records, too.
      return (await resolver.resolve(asked, type)) as string[];
    };
    try {
      const { authenticate } = await import('mailauth');
      const checking = authenticate(source, {
        ...{ ip: address, helo: name, sender, mta, resolver: lookUp },
        ...{ disableArc: true, disableBimi: true },
      });
      const checked = await within(answerMs, checking);
      if (checked === undefined) {
        // What is given up fails soon.
        checking.catch(() => {});
        return null;
      }
      const dkim = checked.dkim?.results.map(({ status }) => status.result) ?? [];
      return {
        spf: wordOf(checked.spf === false ? undefined : checked.spf?.status.result),
        dkim: dkim.includes('pass') ? 'pass' : wordOf(dkim[0]),
        dmarc: wordOf(checked.dmarc === false ? undefined : checked.dmarc?.status.result),
      };
    } catch (error) {
      log.warn({ err: error }, 'the sender of a mail could not be checked');
      return null;
    } finally {
      isOver = true;
      resolver.cancel();
      source.on('error', () => {}).destroy(new Error('too late'));
    }
  };
}

const wordOf = (result: string | undefined): string => (result ?? 'none').toLowerCase();

/** The headers of a message; null if there are more than are looked at. */
function headOf(message: Buffer): string | null {
  const ends = ['\n\n', '\n\r\n'].map((end) => message.indexOf(end)).filter((at) => at >= 0);
  const end = Math.min(message.length, ...ends);
  return end > MAX_HEAD ? null : message.toString('latin1', 0, end);
}

/** Whether a message has more headers or signatures than are worth checking: each signature is a hash of all of it. */
function isTooMuch(message: Buffer): boolean {
  const head = headOf(message);
  return head === null || (head.match(SIGNATURE)?.length ?? 0) > MAX_SIGNATURES;
}

function* chunksOf(message: Buffer): Generator<Buffer> {
  for (let at = 0; at < message.length; at += CHUNK) yield message.subarray(at, at + CHUNK);
}

/** Whether names can be looked up. A domain without mail is an answer, too. */
async function probe(resolver: Resolver): Promise<boolean> {
  const asked = resolver.resolveMx('example.com').then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENODATA' || error.code === 'ENOTFOUND',
  );
  const answered = (await within(PROBE_MS, asked)) ?? false;
  resolver.cancel();
  return answered;
}
