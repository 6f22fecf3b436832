import { unlessRemoved } from '../../../routers/base/errors.js';
import { slugsIn } from '../../../routers/base/slug.js';
import { itemPath, visitsPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { linkLifetime, pageStatus } from '../components/item/removed.js';
import { creatorOnly } from '../gate/creator-only.js';
import { askPassword, openByPassword } from '../gate/password-routes.js';
import { linkPreview } from '../preview.js';
import { again } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { manages, viewerMay } from '../site.js';
import { expiryOf } from '../upload/lifetime.js';
import { hostsOf } from './hosts.js';
import { LinkCreatePage } from './link-create-page.js';
import { LinkOpenPage, LinkPage } from './link-page.js';

/** The pages of short links. */
export const linkPages = [
  getPage(
    '/url-create',
    creatorOnly(async (request) => page(await newLink(request))),
  ),
  postForm('/url-create', again(newLink, createLink)),
  getPage('/url-render/{*link}', async (request) => {
    const ids = slugsIn(request.params.link ?? '');
    for (const uniqueId of ids.slice(0, -1)) {
      const shown = await unlessRemoved(showLink(request, uniqueId));
      if (shown !== null) return shown;
    }
    return showLink(request, ids.at(-1) ?? '');
  }),
  postForm('/url-render/{*link}', openLink),
];

/** Shows where a link leads, or asks for its password. This does not count as a visit. */
export async function showLink(request: PageRequest, uniqueId: string): Promise<PageAnswer> {
  const { site, call } = request;
  const link = await call.url.get({ uniqueId });
  if (link.originalUrl === null) return page(askPassword(request, 'url', itemPath('url', uniqueId)));
  return page(
    <LinkPage
      site={site}
      link={link}
      target={link.originalUrl}
      meta={linkPreview(link, site)}
      mayManage={manages(site.viewer, link.uploader)}
      mayCount={viewerMay(site.viewer, 'seeVisitors', link.uploader)}
    />,
    pageStatus(linkLifetime(link)),
  );
}

/** Opens a link with its password; this counts as a visit. */
async function openLink(request: PageRequest): Promise<PageAnswer> {
  const { site, call, params, body } = request;
  const uniqueId = params.link ?? '';
  return openByPassword(request, 'url', itemPath('url', uniqueId), async () => {
    // The referrer is our own form; where the visitor originally came from is no longer known.
    const { location } = await call.url.visit({ uniqueId, password: body.text('password') });
    return page(<LinkOpenPage site={site} target={location} />);
  });
}

async function newLink({ site, call }: PageRequest, state?: FormState) {
  const hosts = site.viewer === null ? [] : await hostsOf(call);
  const { presets } = site.viewer === null ? { presets: [] } : await call.url.presets();
  const names = presets.map(({ name }) => name);
  return <LinkCreatePage site={site} hosts={hosts} presets={names} state={state} />;
}

async function createLink({ call, body }: PageRequest): Promise<PageAnswer> {
  const link = await call.url.create({
    url: body.string('url'),
    uniqueId: body.text('uniqueId'),
    maxUses: body.number('maxUses'),
    expiresAt: expiryOf(body),
    password: body.text('password'),
    tags: body.list('tags'),
    domain: body.text('domain'),
    utm: body.filled('utm'),
  });
  return goTo(`${visitsPath(link.fullId)}?done=created`);
}
