import { fail } from '../../../routers/base/errors.js';
import type { DomainRecord } from '../../../routers/features/domain/record.js';
import type { Fields } from '../../fields.js';
import { type Entrance, entrance, json, refuseForm } from '../door.js';
import { defaultHost, ROOT } from './form.js';

/** What a host does with what it does not know: any such address leads to one place, and its root to none of its own. */
const redirectsOf = ({ fallbackUrl }: Pick<DomainRecord, 'fallbackUrl'>) => ({
  baseUrlRedirect: null,
  regular404Redirect: fallbackUrl,
  invalidShortUrlRedirect: fallbackUrl,
});

const NONE = redirectsOf({ fallbackUrl: null });

/** The address that a form gives, null for none, undefined for as it is. */
function addressIn(body: Fields, name: string): string | null | undefined {
  const given = body.raw(name);
  if (given === undefined) return undefined;
  return typeof given === 'string' && given.trim() !== '' ? given : null;
}

function fallbackIn(body: Fields): string | null | undefined {
  if (addressIn(body, 'baseUrlRedirect'))
    refuseForm('baseUrlRedirect: the root of a domain leads nowhere of its own here');
  const unknown = addressIn(body, 'invalidShortUrlRedirect');
  const other = addressIn(body, 'regular404Redirect');
  if (unknown !== undefined && other && other !== unknown)
    refuseForm(
      'regular404Redirect: must be invalidShortUrlRedirect, because every unknown address leads there',
    );
  return unknown ?? other ?? (unknown === null || other === null ? null : undefined);
}

/** The hosts of an account, which Shlink calls domains. */
export const domains: readonly Entrance[] = [
  entrance('GET', `${ROOT}/domains`, {
    procedures: ['domain.list'],
    answer: async ({ call, settings }) => {
      const own = (await call('domain.list', undefined)).domains.map((domain) => ({
        ...{ domain: domain.host, isDefault: false, redirects: redirectsOf(domain) },
      }));
      const usual = { domain: defaultHost(settings), isDefault: true, redirects: NONE };
      return json({ domains: { data: [usual, ...own], defaultRedirects: NONE } });
    },
  }),
  entrance('PATCH', `${ROOT}/domains/redirects`, {
    procedures: ['domain.change'],
    answer: async ({ call, settings, wire: { body } }) => {
      const host = body.string('domain');
      if (host === '') refuseForm('domain: name one of your domains');
      // What the installation does with what it does not know is for administrators to say.
      if (host.toLowerCase() === defaultHost(settings)) fail('FORBIDDEN');
      return json(redirectsOf(await call('domain.change', { host, fallbackUrl: fallbackIn(body) })));
    },
  }),
];
