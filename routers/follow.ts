import { z } from 'zod';
import { holdersOf, KINDS, type Kind, lookupId } from '../db/content.js';
import type { Context, Settings } from './context.js';
import { found } from './errors.js';
import { webUrl } from './links.js';
import { type VisitResult, visit, visitInput } from './url/visit.js';

/** As a visit, and the host it came to. */
export const followInput = visitInput.extend({ host: z.string().nullish() });

/**
 * Follows a short link: on a short host it means that host's kind, elsewhere the living item with this id
 * that was created first. A link is visited; images and pastes lead to their page with its own access rules.
 */
export async function follow(ctx: Context, input: z.output<typeof followInput>): Promise<VisitResult> {
  const { db, settings } = ctx.app;
  const wanted = kindOfHost(settings, input.host ?? null);
  const holders = await holdersOf(db, db.read, [lookupId(input.uniqueId)], Date.now());
  const holder = found(holders.find(({ kind }) => wanted === null || kind === wanted));
  if (holder.kind === 'url') return visit(ctx, input);
  return {
    location: webUrl(ctx.app, holder.kind, encodeURIComponent(input.uniqueId)),
    permanent: false,
    counted: false,
  };
}

/** A host as addresses have it: in lower case, without the port that goes without saying. */
export const canonicalHost = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');

/** The host that an address names, as requests to it are recognised. */
export const hostIn = (address: string): string => canonicalHost(new URL(address).host);

function kindOfHost(settings: Settings, given: string | null): Kind | null {
  const host = given === null ? null : canonicalHost(given);
  if (host === hostIn(settings.origin)) return null;
  const kind = KINDS.find((name) => {
    const address = settings.shortUrls[name];
    return address !== null && hostIn(address) === host;
  });
  return kind ?? null;
}
