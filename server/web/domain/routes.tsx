import { unlessRemoved } from '../../../routers/base/errors.js';
import type { FormState } from '../components/form/form.js';
import { pageNumber } from '../listing.js';
import { again } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { ADMIN_PATH, AdminDomainsPage } from './admin-page.js';
import { DOMAINS_PATH, DomainsPage } from './domains-page.js';

/** The domains of an account, and of all of them. */
export const domainPages = [
  getPage('/settings/domains', async (request) => page(await domains(request))),
  postForm(
    '/settings/domains',
    again(domains, async ({ call, body }) => {
      await call.domain.add({ host: body.string('host') });
      return goTo(`${DOMAINS_PATH}?done=saved`);
    }),
  ),
  // The address after a refused change; reloading it leads back to the list.
  getPage('/settings/domains/{host}', async () => goTo(DOMAINS_PATH)),
  postForm('/settings/domains/{host}', again(domains, change)),
  getPage('/admin/domains', async ({ site, call, query }) => {
    const list = await call.domain.all({ page: pageNumber(query), size: 50 });
    return page(<AdminDomainsPage site={site} list={list} />);
  }),
  postForm('/admin/domains', async ({ call, body }) => {
    await call.domain.decide({
      host: body.string('host'),
      uid: body.number('uid'),
      approved: body.boolean('approved') === true,
    });
    return goTo(`${ADMIN_PATH}?done=saved`);
  }),
];

async function domains({ site, call }: PageRequest, state?: FormState) {
  return <DomainsPage site={site} domains={(await call.domain.list()).domains} state={state} />;
}

async function change({ call, params, body }: PageRequest): Promise<PageAnswer> {
  const host = params.host ?? '';
  const action = body.text('action');
  if (action === 'remove') {
    // After a second click it is already gone, as wanted.
    await unlessRemoved(call.domain.remove({ host }));
    return goTo(`${DOMAINS_PATH}?done=deleted`);
  }
  if (action === 'check') await call.domain.check({ host });
  else await call.domain.change({ host, fallbackUrl: body.string(`fallback-${host}`) });
  return goTo(`${DOMAINS_PATH}?done=saved`);
}
