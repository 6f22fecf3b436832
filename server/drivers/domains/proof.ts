import type { LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { codeOf } from '../../../db/engine/error-code.js';
import { type DomainProofs, PROOF_PATH, type ProofFound } from '../../../routers/base/ports/domain-proof.js';
import { type AllowList, guardedLookup } from '../outbound/addresses.js';
import { exchange } from '../outbound/exchange.js';

const DNS_MS = 3_000;
const HTTP_MS = 5_000;
const MAX_BYTES = 1024;
/** What a DNS server says of a name that has no such record. */
const NO_RECORD: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** Where proofs are looked for. */
interface ProofOptions {
  /** Addresses of DNS servers; null for those of the system. */
  readonly resolvers: readonly string[] | null;
  /** Private networks that may be reached. */
  readonly allow: AllowList;
  /** Where hosts answer by http and https. */
  readonly ports?: { readonly http: number; readonly https: number };
}

/** Opens what looks for the proofs of hosts: a TXT record `holdall={token}`, or an answer of the host itself. */
export function openDomainProofs({
  resolvers,
  allow,
  ports = { http: 80, https: 443 },
}: ProofOptions): DomainProofs {
  const openResolver = (): Resolver => {
    const resolver = new Resolver({ timeout: DNS_MS, tries: 2 });
    if (resolvers !== null) resolver.setServers(resolvers);
    return resolver;
  };
  return {
    async find(host, token) {
      const byDns = await inDns(openResolver(), host, token);
      if (byDns === 'dns') return 'dns';
      const lookUp = resolvers === null ? undefined : lookupBy(openResolver);
      for (const [protocol, port] of [
        ['http', ports.http],
        ['https', ports.https],
      ] as const) {
        const url = new URL(`${protocol}://${host}:${port}${PROOF_PATH}${token}`);
        if (await answers(url, token, allow, lookUp)) return 'http';
      }
      return byDns;
    },
  };
}

async function inDns(resolver: Resolver, host: string, token: string): Promise<ProofFound> {
  try {
    const records = await resolver.resolveTxt(host);
    return records.some((parts) => parts.join('').trim() === `holdall=${token}`) ? 'dns' : 'none';
  } catch (error) {
    return NO_RECORD.has(codeOf(error)) ? 'none' : 'unknown';
  } finally {
    resolver.cancel();
  }
}

/** Whether the host answers with its token. A redirect is no answer: a site may lead anywhere. */
async function answers(
  url: URL,
  token: string,
  allow: AllowList,
  lookUp: typeof lookup | undefined,
): Promise<boolean> {
  try {
    const { status, body } = await exchange(url, {
      method: 'GET',
      headers: { accept: 'text/plain', 'user-agent': 'Holdall' },
      timeoutMs: HTTP_MS,
      maxBytes: MAX_BYTES,
      excess: 'cut',
      // What is fetched is no secret, so that http is as good as https: what counts is the address.
      lookup: guardedLookup('https:', allow, lookUp),
    });
    return status === 200 && body.toString('latin1').trim() === token;
  } catch {
    return false;
  }
}

/** A look-up of addresses that asks given DNS servers, for `guardedLookup`. */
function lookupBy(openResolver: () => Resolver): typeof lookup {
  const find = async (host: string): Promise<LookupAddress[]> => {
    const resolver = openResolver();
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    resolver.cancel();
    const addresses = found.flatMap((result, index) =>
      result.status === 'fulfilled'
        ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    );
    if (addresses.length === 0)
      throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
    return addresses;
  };
  return ((
    host: string,
    _options: unknown,
    done: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => {
    find(host).then(
      (addresses) => done(null, addresses),
      (error: Error) => done(error, []),
    );
  }) as typeof lookup;
}
