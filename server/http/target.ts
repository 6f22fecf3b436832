import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i;

/**
 * Rewrites the request target to origin form (RFC 9112 §3.2), so that all later code sees one form. The host of an
 * absolute target replaces `Host`. Returns false if the request has no path or no host.
 */
export function toOriginForm(req: IncomingMessage): boolean {
  const target = req.url ?? '';
  if (target.startsWith('/')) return req.headers.host !== undefined || req.httpVersion !== '1.1';
  const [, host, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (host === undefined) return false;
  req.headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}
