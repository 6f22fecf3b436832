import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Config } from '../config/config.js';

/** Headers by their lower-case names. */
export type StandingHeaders = readonly (readonly [name: string, value: string])[];

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The security headers that every response has, unless what writes it knows better: pages and stored content have
 * policies of their own. `includeSubDomains` only on request, because the other hosts of a domain may not have https.
 */
export function standingHeaders({
  origin,
  hstsSubdomains,
}: Pick<Config, 'origin' | 'hstsSubdomains'>): StandingHeaders {
  const hsts = `max-age=${YEAR_SECONDS}${hstsSubdomains ? '; includeSubDomains' : ''}`;
  return [
    ...(origin.startsWith('https:') ? ([['strict-transport-security', hsts]] as const) : []),
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'SAMEORIGIN'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ];
}

/** The same as lines for a response that is written to a socket. */
export const headerLines = (standing: StandingHeaders): string =>
  standing.map(([name, value]) => `${name}: ${value}\r\n`).join('');

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * The class of every response of a server: adds the standing headers that were not set. At this one place, because no
 * response can do without it: the hot path, refusals before routing, and what a library writes.
 */
export function responseWith(standing: StandingHeaders): typeof ServerResponse {
  class Response extends ServerResponse {
    override writeHead(status: number, reason?: string | Given, given?: Given): this {
      const headers = typeof reason === 'string' ? given : reason;
      if (Array.isArray(headers)) {
        for (const [name, value] of standing)
          if (!headers.includes(name) && !this.hasHeader(name)) headers.push(name, value);
      } else {
        for (const [name, value] of standing)
          if (!(headers !== undefined && name in headers) && !this.hasHeader(name))
            this.setHeader(name, value);
      }
      return typeof reason === 'string'
        ? super.writeHead(status, reason, headers)
        : super.writeHead(status, headers);
    }
  }
  return Response as typeof ServerResponse;
}
