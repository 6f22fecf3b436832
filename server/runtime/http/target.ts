import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i;

/**
 * Rewrites the request target to origin form (RFC 9112 §3.2), so that all later code sees one form. The host of an
 * absolute target replaces `Host`. Returns false if the request has no path, no host or several.
 */
export function toOriginForm(req: IncomingMessage): boolean {
  if (hostsOf(req) > 1) return false;
  const target = req.url ?? '';
  if (target.startsWith('/')) return req.headers.host !== undefined || req.httpVersion !== '1.1';
  const [, host, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (host === undefined) return false;
  req.headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}

/** How many `Host` headers there are: Node keeps the first, a proxy may have believed another one. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
