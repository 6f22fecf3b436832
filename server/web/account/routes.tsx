import { fail } from '../../../routers/base/errors.js';
import { byKind } from '../../../routers/base/kinds.js';
import { localizable } from '../../../routers/base/language/localizable.js';
import { localizableOfRule } from '../../../routers/base/language/rules.js';
import { SOCIALS } from '../../../routers/base/socials.js';
import { allowPicture } from '../../../routers/features/image/allowance.js';
import type { FormState } from '../components/form/form.js';
import { again, saved } from '../refusal.js';
import {
  getPage,
  goTo,
  moved,
  type PageAnswer,
  type PageRequest,
  page,
  postFile,
  postForm,
} from '../request.js';
import type { Site } from '../site.js';
import { requireViewer } from '../viewer.js';
import { ProfilePage } from './profile-page.js';
import { SHARING_PATH, SharingPage } from './sharing-page.js';
import { ToolsPage } from './tools-page.js';
import { WebhookPage } from './webhook-page.js';

/** How many webhook deliveries the page lists. */
const MAX_DELIVERIES = 20;

/** Profile and settings of an account. */
export const settingsPages = [
  getPage('/settings', async (request) => page(await profile(request))),
  postForm(
    '/settings',
    saved(profile, async ({ call, body }) => {
      await call.user.patchSocials(
        Object.fromEntries(SOCIALS.map((name) => [name, body.text(name)])) as never,
      );
    }),
  ),
  // The address after a refused profile picture; reloading it leads back to the settings.
  getPage('/settings/avatar', async () => goTo('/web/settings')),
  postFile(
    '/settings/avatar',
    again((request, state) => profile(withProblem(request, state)), setPicture),
    allowPicture,
    'user.setAvatar',
  ),
  postForm('/settings/language', async ({ call, body }) => {
    await call.user.patchLanguageSettings({ language: body.text('language') as never });
    return goTo('/web/settings?done=saved');
  }),
  getPage('/settings/sharing', async (request) => page(await sharing(request))),
  // Where these had pages of their own.
  ...['links', 'uploads', 'embeds'].map((name) =>
    getPage(`/settings/${name}`, async ({ search }) => moved(SHARING_PATH, search)),
  ),
  postForm('/settings/links', async ({ call, body }) => {
    await call.user.patchUrlSettings(byKind((kind) => body.text(kind)));
    await call.url.setDigest({ weekly: body.boolean('weekly') === true });
    return goTo(`${SHARING_PATH}?done=saved`);
  }),
  postForm('/settings/uploads', async ({ call, body }) => {
    await call.image.changeMediaSettings({
      metadata: body.text('metadata'),
      ocr: body.boolean('ocr') ?? false,
    });
    return goTo(`${SHARING_PATH}?done=saved`);
  }),
  postForm(
    '/settings/embeds',
    saved(sharing, async ({ call, body }) => {
      const texts = ['title', 'titleUrl', 'description', 'color', 'authorName'] as const;
      await call.user.patchWebhookSettings({
        enabled: body.boolean('enabled') ?? false,
        ...Object.fromEntries(texts.map((name) => [name, body.text(name)])),
      });
    }),
  ),
  getPage('/settings/webhook', async (request) => page(await webhook(request))),
  postForm('/settings/webhook', saved(webhook, saveWebhook)),
  postForm(
    '/settings/webhook/test',
    again(
      (request, state) => webhook(withProblem(request, state)),
      async ({ call }) => {
        const { state, error } = await call.webhook.test();
        if (state === 'FAILED')
          fail(
            'INVALID',
            error === null
              ? localizable('The test event was not delivered.')
              : localizable('The test event was not delivered: {error}', { error: localizableOfRule(error) }),
          );
        return goTo('/web/settings/webhook?done=tested');
      },
    ),
  ),
  getPage('/settings/tools', showTools),
];

async function showTools({ site, call }: PageRequest): Promise<PageAnswer> {
  const [uploaders, { apiKey }] = await Promise.all([call.user.uploaders({ all: true }), call.user.me()]);
  return page(<ToolsPage site={site} uploaders={uploaders} apiKey={apiKey ?? null} />);
}

async function profile({ site, call }: PageRequest, state?: FormState) {
  const [user, { language }] = await Promise.all([call.user.me(), call.user.languageSettings()]);
  return <ProfilePage site={site} user={user} language={language} state={state} />;
}

async function setPicture({ call, file }: PageRequest): Promise<PageAnswer> {
  await call.user.setAvatar({ file: file ?? fail('FILE_MISSING') });
  return goTo('/web/settings?done=saved');
}

async function sharing(request: PageRequest, state?: FormState) {
  const { site, call } = request;
  const { username } = requireViewer(request);
  const [links, { weekly }, uploads, embeds] = await Promise.all([
    call.user.urlSettings(),
    call.url.digest(),
    call.image.mediaSettings(),
    call.user.webhookSettings(),
  ]);
  return <SharingPage {...{ site, links, weekly, uploads, embeds, username, state }} />;
}

async function webhook({ site, call }: PageRequest, state?: FormState) {
  const [settings, deliveries] = await Promise.all([call.user.webhookSettings(), call.webhook.deliveries()]);
  const shown = deliveries.slice(0, MAX_DELIVERIES);
  return <WebhookPage site={site} settings={settings} deliveries={shown} state={state} />;
}

async function saveWebhook({ call, body }: PageRequest): Promise<void> {
  const secret = body.string('secret');
  await call.user.patchWebhookSettings({
    url: body.text('url'),
    format: body.text('format'),
    // Without a ticked box a form sends nothing, which means no events.
    events: body.list('events') ?? [],
    ...(secret === '' ? {} : { secret }),
  });
}

/** The same request with the problem as a notice above the page, for forms that cannot show it themselves. */
function withProblem(request: PageRequest, state: FormState): PageRequest {
  const notice: Site['notice'] = {
    kind: 'problem',
    undo: null,
    created: false,
    text: state.problem ?? Object.values(state.errors)[0] ?? '',
  };
  return { ...request, site: { ...request.site, notice } };
}
