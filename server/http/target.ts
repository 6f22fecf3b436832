import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i;

/**
 * Brings the target of a request into origin form (RFC 9112 §3.2), so that everything behind looks at one spelling.
 * The host of an absolute target takes the place of `Host`. False for a request that names no path or no host.
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
