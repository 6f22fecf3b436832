import { DomainError, fail } from '../../../routers/base/errors.js';
import type { I18n } from '../../../routers/base/language/i18n.js';
import { POLICIES, type Policy } from '../../../routers/core/branding/fields.js';
import { allowUpload } from '../../../routers/features/image/allowance.js';
import type { FormState } from '../components/form/form.js';
import { thumbnailOf } from '../components/item/media.js';
import { again, refusalOf, saved } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postFile, postForm } from '../request.js';
import { USUAL_ACCENT } from './accent.js';
import { BrandingPage } from './branding-page.js';
import { linksInText } from './links-text.js';
import { manifestOf } from './manifest.js';
import { POLICY_PAGES } from './parts.js';
import { PolicyPage } from './policy-page.js';

/** The branding of the installation: its settings for administrators, and its policies for everybody. */
export const brandingPages = [
  getPage('/admin/branding', async (request) => page(await showBranding(request))),
  postForm('/admin/branding', saved(showBranding, saveBranding)),
  postForm('/admin/branding/logo', again(showBranding, chooseLogo)),
  postFile('/admin/branding/logo/file', again(showBranding, uploadLogo), allowUpload, 'image.upload'),
  getPage('/manifest.webmanifest', async ({ site }) => ({
    as: 'json',
    status: 200,
    body: manifestOf(site.branding),
  })),
  ...POLICIES.map((policy) =>
    getPage(POLICY_PAGES[policy].path.slice('/web'.length), (request) => showPolicy(request, policy)),
  ),
];

/** Pictures of the library that are offered as the logo. */
const OFFERED = 24;

async function showBranding({ call, site }: PageRequest, state?: FormState) {
  const [branding, { items }] = await Promise.all([
    call.branding.settings(),
    call.library.images({ kind: 'image', access: 'public', pageSize: OFFERED }),
  ]);
  const pictures = items.filter((image) => thumbnailOf(image) !== null);
  return <BrandingPage site={site} branding={branding} pictures={pictures} state={state} />;
}

/** Makes a picture the logo, without one removes it. */
async function chooseLogo({ call, body }: PageRequest): Promise<PageAnswer> {
  await call.branding.change({ logo: body.string('logo') });
  return goTo('/web/admin/branding?done=saved');
}

async function uploadLogo({ call, file }: PageRequest): Promise<PageAnswer> {
  // Only administrators read the settings: others are refused before their file is stored.
  await call.branding.settings();
  const { uniqueId } = await call.image.upload({ file: file ?? fail('FILE_MISSING') });
  await call.branding.change({ logo: uniqueId });
  return goTo('/web/admin/branding?done=saved');
}

async function saveBranding({ call, site, body }: PageRequest): Promise<void> {
  const text = body.string('bannerText').trim();
  const fields = ['name', 'tagline', 'unknownUrl', 'privacy', 'imprint'] as const;
  const accent = body.string('accent');
  try {
    await call.branding.change({
      ...Object.fromEntries(fields.map((name) => [name, body.string(name)])),
      accent: body.text('action') === 'usual-accent' || accent === USUAL_ACCENT ? '' : accent,
      footerLinks: linksInText(body.string('footerLinks')),
      banner:
        text === ''
          ? null
          : { text, kind: body.string('bannerKind'), until: body.string('bannerUntil') || null },
    });
  } catch (error) {
    throw namedAsHere(error, site.i18n);
  }
}

/** The fields of lists and objects have other names in the form. */
function namedAsHere(error: unknown, i18n: I18n): unknown {
  const { status, message } = refusalOf(error, i18n);
  const text = message
    .replace(
      /^banner\.([a-z])(\w+): /,
      (_, first: string, rest: string) => `banner${first.toUpperCase()}${rest}: `,
    )
    .replace(/^footerLinks\.\d+\.\w+: /, 'footerLinks: ');
  return status !== 400 || text === message ? error : new DomainError('INVALID', { message: text });
}

async function showPolicy({ call, site, ctx }: PageRequest, policy: Policy): Promise<PageAnswer> {
  const text = (await call.branding.get())[policy] ?? fail('NOT_FOUND');
  const { title } = POLICY_PAGES[policy];
  return page(
    <PolicyPage
      site={site}
      title={site.i18n.translateMessage(title)}
      text={text}
      html={await ctx.app.markdown(text)}
    />,
  );
}
