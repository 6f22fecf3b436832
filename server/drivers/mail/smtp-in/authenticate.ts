import { Resolver } from 'node:dns/promises';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { codeOf } from '../../../../db/engine/error-code.js';
import type { Log } from '../../../../routers/base/ports/log.js';
import type { MessageSource } from '../../../../routers/base/ports/mail/mail.js';
import type { AuthenticateMail } from '../../../../routers/base/ports/mail/mail-services.js';
import { within } from '../../../../routers/base/text/within.js';
import { delivererBehind } from './trusted.js';

/** How long it is remembered that somebody did not answer. */
const SILENT_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Remembers, for some minutes, how often something happened to a subject; the oldest are forgotten first. */
class Recent {
  readonly #times = new Map<string, { readonly count: number; readonly until: number }>();

  note(subject: string): void {
    const count = this.count(subject) + 1;
    this.#times.delete(subject);
    this.#times.set(subject, { count, until: performance.now() + SILENT_MS });
    const [oldest] = this.#times.keys();
    if (this.#times.size > MAX_REMEMBERED && oldest !== undefined) this.#times.delete(oldest);
  }

  count(subject: string): number {
    const known = this.#times.get(subject);
    return known === undefined || known.until < performance.now() ? 0 : known.count;
  }
}

const ANSWER_MS = 10_000;
/** How long DNS is believed to be there, or away. */
const BELIEF_MS = 10 * 60_000;
const PROBE_MS = 3_000;
/** An address whose mails waited in vain so often waits no longer than this. */
const SLOW_TIMES = 3;
const SLOW_ANSWER_MS = 1_000;
/** A name that cannot exist, in the place of a client that nobody knows. */
const NOBODY = 'unknown.invalid';
/** Names that are looked up for one message. SPF alone may need 20 (RFC 7208). */
const MAX_LOOKUPS = 60;
/** Each may be about another part of the message, which is hashed once for each. */
const MAX_SIGNATURES = 20;
const SIGNATURE = /^DKIM-Signature[ \t]*:/gim;
const MAX_HEAD = 1024 * 1024;
const CHUNK = 64 * 1024;

interface AuthenticationOptions {
  /** The name of this server. */
  readonly mta: string;
  /** Addresses of DNS servers, with or without a port; null for those of the system. */
  readonly resolvers: readonly string[] | null;
  /** Whether an address is that of a relay that is trusted to say who gave it a mail. */
  readonly isTrusted?: (address: string) => boolean;
  /** After which a check is given up. */
  readonly answerMs?: number;
}

/**
 * Checks SPF, DKIM and DMARC of a message (RFC 7208, 6376, 7489). Null without DNS, for a message with more signatures
 * than an honest one has, and if the answers take too long, after which nothing of the check goes on: what is not known
 * is never held against a sender. Names that got no answer are not asked again for some minutes. The SPF of a mail from a
 * trusted relay is that of whoever gave it to the relay, and `none` if nobody says who that was.
 */
export function openAuthentication(
  { mta, resolvers, answerMs = ANSWER_MS, isTrusted = () => false }: AuthenticationOptions,
  log: Log,
): AuthenticateMail {
  const openResolver = (): Resolver => {
    const resolver = new Resolver({ timeout: Math.min(PROBE_MS, answerMs), tries: 2 });
    if (resolvers !== null) resolver.setServers(resolvers);
    return resolver;
  };
  const silentNames = new Recent();
  const slowAddresses = new Recent();
  let believed: { readonly until: number; readonly hasDns: Promise<boolean> } | null = null;
  const hasDns = (): Promise<boolean> => {
    if (believed === null || believed.until < performance.now())
      believed = { until: performance.now() + BELIEF_MS, hasDns: probe(openResolver(), log) };
    return believed.hasDns;
  };
  return async (message, { sender }, peer) => {
    const head = await headOf(message);
    if (head === null || hasTooManySignatures(head) || !(await hasDns())) return null;
    const client = isTrusted(peer.address) ? delivererBehind(head, isTrusted) : peer;
    const subject = client.address ?? peer.address;
    const resolver = openResolver();
    const source = typeof message === 'string' ? createReadStream(message) : Readable.from(chunksOf(message));
    const asking = new Set<string>();
    let lookups = 0;
    let isEnded = false;
    const lookUp = async (asked: string, type: string) => {
      lookups += 1;
      if (asked === NOBODY) throw Object.assign(new Error('nobody'), { code: 'ENOTFOUND' });
      if (isEnded || lookups > MAX_LOOKUPS || silentNames.count(asked) > 0)
        throw Object.assign(new Error('too late'), { code: 'ETIMEOUT' });
      asking.add(asked);
      try {
        // The library knows the types of other records, too.
        return (await resolver.resolve(asked, type)) as string[];
      } catch (error) {
        if (codeOf(error) === 'ETIMEOUT') silentNames.note(asked);
        throw error;
      } finally {
        if (!isEnded) asking.delete(asked);
      }
    };
    try {
      const { authenticate } = await import('mailauth');
      const checking = authenticate(source, {
        ...(client.address === null
          ? { ip: '0.0.0.0', helo: NOBODY, sender: '' }
          : { ip: client.address, helo: client.name, sender }),
        ...{ mta, resolver: lookUp, disableArc: true, disableBimi: true },
      });
      const patience = slowAddresses.count(subject) >= SLOW_TIMES ? SLOW_ANSWER_MS : answerMs;
      const checked = await within(Math.min(patience, answerMs), checking);
      if (checked === undefined) {
        // What is given up fails soon.
        checking.catch(() => {});
        slowAddresses.note(subject);
        for (const name of asking) silentNames.note(name);
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
      isEnded = true;
      resolver.cancel();
      source.on('error', () => {}).destroy(new Error('too late'));
    }
  };
}

const wordOf = (result: string | undefined): string => (result ?? 'none').toLowerCase();

/** The headers of a message; null if there are more than are looked at. */
async function headOf(source: MessageSource): Promise<string | null> {
  const message = typeof source === 'string' ? await beginningOf(source) : source;
  const ends = ['\n\n', '\n\r\n'].map((end) => message.indexOf(end)).filter((at) => at >= 0);
  const end = Math.min(message.length, ...ends);
  return end > MAX_HEAD ? null : message.toString('latin1', 0, end);
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD + 1), 0, MAX_HEAD + 1, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Whether a message has more signatures than are worth checking: each is a hash of all of it. */
const hasTooManySignatures = (head: string): boolean => (head.match(SIGNATURE)?.length ?? 0) > MAX_SIGNATURES;

function* chunksOf(message: Buffer): Generator<Buffer> {
  for (let at = 0; at < message.length; at += CHUNK) yield message.subarray(at, at + CHUNK);
}

/** Whether names can be looked up. Any answer is one, also that nothing is said about this name. */
async function probe(resolver: Resolver, log: Log): Promise<boolean> {
  const asked = resolver.resolveMx('example.com').then(
    () => null,
    (error) => (ANSWERS.has(codeOf(error)) ? null : codeOf(error)),
  );
  const failure = await within(PROBE_MS, asked);
  resolver.cancel();
  if (failure === null) return true;
  log.warn(
    { reason: failure ?? 'ETIMEOUT' },
    'no DNS server answers, so the senders of mails are not checked for ten minutes: see MAIL_RESOLVERS',
  );
  return false;
}

const ANSWERS: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND', 'EREFUSED', 'ESERVFAIL', 'ENOTIMP']);
