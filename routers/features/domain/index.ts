import { z } from 'zod';
import {
  allDomains,
  type Domain,
  domainOf,
  domainsOf,
  domainToDecide,
  hasToken,
  removeDomain,
} from '../../../db/content/link/domain.js';
import { fail, found } from '../../base/errors.js';
import { contentPageInput, pageOf, toPage, windowOf } from '../../base/paging.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Context } from '../../core/context.js';
import { activeAt, nameOfHost, requireElsewhere } from '../../core/items/domains.js';
import { uidInput } from '../../core/items/ids.js';
import { admin, creator, open, router, signedIn } from '../../core/trpc.js';
import { readTarget } from '../link/public.js';
import { addHost } from './add.js';
import { settle, stateAfter, store } from './check.js';
import { readHost } from './host.js';
import { adminDomainRecord, domainRecord, domainState, toAdminRecord, toDomainRecord } from './record.js';

const MAX_PAGE = 100;

const hostInput = z.string().trim().min(1).max(255).transform(nameOfHost);
const byHost = z.object({ host: hostInput });

/** A domain of the caller; 404 for any other. */
async function own({ app, account }: AccountContext, host: string): Promise<Domain> {
  const domain = await domainOf(app.db.read, account.id, host);
  return domain === null || domain.state === 'removed' ? fail('NOT_FOUND') : domain;
}

function requireOffered({ app }: Context): void {
  if (app.settings.domains === 'off') fail('DOMAINS_OFF');
}

/** Where the unknown ids of a host lead: not to the host itself, nor to anything else of this service. */
async function fallbackOf({ app }: Context, host: string, given: string | null): Promise<string | null> {
  if (given === null || given.trim() === '') return null;
  const target = readTarget(given, app.settings);
  if (nameOfHost(new URL(target).hostname) === host)
    fail('TARGET_REFUSED', 'A short link cannot point to this service itself');
  await requireElsewhere(app, [target]);
  return target;
}

/** Hosts of accounts, on which they have short links. */
export const domainRouter = router({
  list: signedIn('urls:read')
    .output(z.object({ domains: z.array(domainRecord) }))
    .query(async ({ ctx }) => ({
      domains: (await domainsOf(ctx.app.db.read, ctx.account.id)).map(toDomainRecord),
    })),

  /** Adds a host, which has to be proven; the same again gives what is there. */
  add: creator('urls:write')
    .input(z.object({ host: z.string().max(300) }))
    .output(domainRecord)
    .mutation(async ({ ctx, input }) => {
      const { app, account } = ctx;
      requireOffered(ctx);
      const host = await readHost(input.host, app.settings);
      await app.limits.rates.take('create', String(account.id));
      return app.db.write(async (trx) => {
        const { domain, isNew } = await addHost(app, trx, account.id, host);
        if (isNew) await audit(ctx, trx, 'domain.added', { subject: account.id });
        return toDomainRecord(domain);
      });
    }),

  /** Looks for the proof of a host now. */
  check: creator('urls:write')
    .input(byHost)
    .output(domainRecord)
    .mutation(async ({ ctx, input }) => {
      const { app, account } = ctx;
      requireOffered(ctx);
      const domain = await own(ctx, input.host);
      await app.limits.rates.take('domainCheck', String(account.id));
      const proof = await app.limits.fetches(String(account.id), () =>
        app.domainProofs.find(domain.host, domain.token),
      );
      return toDomainRecord(found(await settle(app, domain, proof, ctx)));
    }),

  /** Changes where unknown ids of a host lead. */
  change: creator('urls:write')
    .input(byHost.extend({ fallbackUrl: z.string().nullish() }))
    .output(domainRecord)
    .mutation(async ({ ctx, input }) => {
      const domain = await own(ctx, input.host);
      if (input.fallbackUrl === undefined) return toDomainRecord(domain);
      const fallbackUrl = await fallbackOf(ctx, domain.host, input.fallbackUrl);
      return toDomainRecord(found(await store(ctx.app, domain, { fallbackUrl }, ctx)));
    }),

  /** Removes a host; its links stay, and are reached there again if it comes back. */
  remove: signedIn('urls:write')
    .input(byHost)
    .output(z.object({ host: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { app, account } = ctx;
      await app.db.write(async (trx) => {
        found(await removeDomain(trx, account.id, input.host));
        await audit(ctx, trx, 'domain.removed', { subject: account.id });
      });
      return { host: input.host };
    }),

  /** Whether a host is an active one, for proxies that fetch certificates on demand; 404 if not. */
  ask: open(null)
    .input(z.object({ domain: z.string().max(300) }))
    .output(z.object({ host: z.string() }))
    .query(async ({ ctx, input }) => {
      const domain = await activeAt(ctx.app, input.domain);
      return domain === null ? fail('NOT_FOUND') : { host: domain.host };
    }),

  /** The proof that a host leads to this installation: its token, if the host is registered with it. */
  proof: open(null)
    .input(z.object({ host: z.string().max(300).nullish(), token: z.string().max(100) }))
    .output(z.object({ token: z.string() }))
    .query(async ({ ctx, input }) => {
      const host = nameOfHost(input.host ?? '');
      return (await hasToken(ctx.app.db.read, host, input.token))
        ? { token: input.token }
        : fail('NOT_FOUND');
    }),

  /** The hosts of all accounts, those that wait for a decision first. */
  all: admin('admin:read')
    .input(contentPageInput.extend({ state: domainState.nullish() }))
    .output(pageOf(adminDomainRecord))
    .query(async ({ ctx, input }) => {
      const asked = { page: input.page ?? 0, pageSize: input.size ?? MAX_PAGE };
      const page = await allDomains(ctx.app.db, input.state ?? null, windowOf(asked));
      return toPage(asked, page, (domain) => toAdminRecord(ctx.app, domain));
    }),

  /** Approves a host, or withdraws that: then it waits. */
  decide: admin('admin:write')
    .input(byHost.extend({ approved: z.boolean(), uid: uidInput.nullish() }))
    .output(adminDomainRecord)
    .mutation(async ({ ctx, input }) => {
      const { app } = ctx;
      const domain = found(await domainToDecide(app.db.read, input.host, input.uid ?? null));
      const { approved } = input;
      const isProven = domain.state === 'active' || domain.state === 'waiting';
      const state = isProven
        ? stateAfter(app, { ...domain, approved }, domain.proof ?? 'none', Date.now())
        : domain.state;
      try {
        return await toAdminRecord(app, found(await store(app, domain, { approved, state }, ctx)));
      } catch (error) {
        if (app.db.dialect.isUniqueViolation(error)) fail('DOMAIN_TAKEN', { cause: error });
        throw error;
      }
    }),
});
