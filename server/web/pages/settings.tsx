import { fail } from '../../../routers/errors.js';
import { SOCIALS } from '../../../routers/socials.js';
import type { FormState } from '../components/form.js';
import { orAgain, reasonOf } from '../refusal.js';
import { goTo, type PageAnswer, type PageRequest, page, show, take } from '../request.js';
import type { Site } from '../site.js';
import { type Connection, SecurityPage } from '../views/security.js';
import {
  AccountPage,
  EmbedPage,
  ProfilePage,
  ToolsPage,
  UrlSettingsPage,
  WebhookPage,
} from '../views/settings.js';
import { requireViewer } from './listing.js';

/** What an account says of itself, and how it works. */
export const settingsPages = [
  show('/settings', async (request) => page(await profile(request))),
  take('/settings', (request) =>
    save(
      request,
      '/web/settings',
      (state) => profile(request, state),
      async ({ call, body }) => {
        await call.user.patchSocials(
          Object.fromEntries(SOCIALS.map((name) => [name, body.nullable(name)])) as never,
        );
      },
    ),
  ),
  take('/settings/avatar', setPicture, 'file'),
  show('/settings/links', async ({ site, call }) =>
    page(<UrlSettingsPage site={site} settings={await call.user.urlSettings()} />),
  ),
  take('/settings/links', async ({ call, body }) => {
    await call.user.patchUrlSettings({
      image: body.nullable('image'),
      paste: body.nullable('paste'),
      url: body.nullable('url'),
    });
    return goTo('/web/settings/links?done=saved');
  }),
  show('/settings/embeds', async (request) => page(await embeds(request))),
  take('/settings/embeds', (request) =>
    save(
      request,
      '/web/settings/embeds',
      (state) => embeds(request, state),
      async ({ call, body }) => {
        const texts = ['title', 'titleUrl', 'description', 'color', 'authorName'] as const;
        await call.user.patchWebhookSettings({
          enabled: body.boolean('enabled') ?? false,
          ...Object.fromEntries(texts.map((name) => [name, body.nullable(name)])),
        });
      },
    ),
  ),
  show('/settings/webhook', async (request) => page(await webhook(request))),
  take('/settings/webhook', (request) =>
    save(request, '/web/settings/webhook', (state) => webhook(request, state), saveWebhook),
  ),
  show('/settings/tools', async ({ site, call }) =>
    page(<ToolsPage site={site} apiKey={(await call.user.me()).apiKey ?? ''} />),
  ),
  show('/settings/security', async (request) => page(await security(request))),
  take('/settings/security', (request) =>
    save(
      request,
      '/web/settings/security',
      (state) => security(request, state),
      async ({ call, body }) => {
        await call.auth.changePassword({
          currentPassword: body.text('currentPassword') ?? '',
          newPassword: body.text('password') ?? '',
        });
      },
    ),
  ),
  take('/settings/security/key', async ({ call }) => {
    await call.user.replaceKey();
    return goTo('/web/settings/security?done=key');
  }),
  take('/settings/security/sessions', async ({ call, body }) => {
    await call.auth.revokeSession({ id: body.text('id') ?? '' });
    return goTo('/web/settings/security?done=ended');
  }),
  take('/settings/security/connections', async ({ call, body }) => {
    if (body.text('service') !== 'chatapp') fail('INVALID');
    await call.chatapp.unlink();
    return goTo('/web/settings/security?done=saved');
  }),
  show('/settings/account', async (request) => page(await account(request))),
  take('/settings/account', (request) =>
    orAgain(
      request.body,
      async () => {
        await request.call.user.delete({ password: request.body.text('password') ?? '' });
        return goTo('/?done=gone');
      },
      (state) => account(request, state),
    ),
  ),
];

/** Does what a form of the settings asks for and says that it is saved, or shows the form again. */
function save(
  request: PageRequest,
  path: string,
  again: (state: FormState) => ReturnType<typeof profile>,
  work: (request: PageRequest) => Promise<void>,
): Promise<PageAnswer> {
  return orAgain(
    request.body,
    async () => {
      await work(request);
      return goTo(`${path}?done=saved`);
    },
    again,
  );
}

async function profile({ site, call }: PageRequest, state?: FormState) {
  return <ProfilePage site={site} user={await call.user.me()} state={state} />;
}

async function setPicture(request: PageRequest): Promise<PageAnswer> {
  return orAgain(
    request.body,
    async () => {
      await request.call.user.setAvatar({ file: request.file ?? fail('FILE_MISSING') });
      return goTo('/web/settings?done=saved');
    },
    (state) => profile(withProblem(request, state)),
  );
}

async function embeds(request: PageRequest, state?: FormState) {
  const { username } = requireViewer(request);
  const settings = await request.call.user.webhookSettings();
  return <EmbedPage site={request.site} settings={settings} username={username} state={state} />;
}

async function webhook({ site, call }: PageRequest, state?: FormState) {
  return (
    <WebhookPage site={site} settings={await call.user.webhookSettings()} deliveries={[]} state={state} />
  );
}

async function saveWebhook({ call, body }: PageRequest): Promise<void> {
  const secret = body.text('secret') ?? '';
  const events = body.raw('events') ?? [];
  await call.user.patchWebhookSettings({
    url: body.nullable('url'),
    format: body.text('format'),
    events: (Array.isArray(events) ? events : [events]) as never,
    ...(secret === '' ? {} : { secret }),
  });
}

async function security(request: PageRequest, state?: FormState) {
  const { site, call } = request;
  const [me, sessions, connections] = await Promise.all([
    call.user.me(),
    call.auth.sessions(),
    connectionsOf(request),
  ]);
  return (
    <SecurityPage
      site={site}
      apiKey={me.apiKey ?? ''}
      sessions={sessions}
      connections={connections}
      state={state}
    />
  );
}

async function connectionsOf({ site, call }: PageRequest): Promise<Connection[]> {
  if (!site.chatapp) return [];
  const connectUrl = '/v1/chatapp/start?intent=link';
  const linked = { service: 'chatapp', label: 'Discord', connectUrl } as const;
  try {
    const { username } = await call.chatapp.mine();
    return [{ ...linked, name: username }];
  } catch (error) {
    if (reasonOf(error) !== 'NOT_FOUND') throw error;
    return [{ ...linked, name: null }];
  }
}

async function account({ site, call }: PageRequest, state?: FormState) {
  return <AccountPage site={site} user={await call.user.me()} state={state} />;
}

/** The same request with a problem said over the page, for forms that have no place of their own for it. */
function withProblem(request: PageRequest, state: FormState): PageRequest {
  const notice: Site['notice'] = {
    kind: 'problem',
    text: state.problem ?? Object.values(state.errors)[0] ?? '',
  };
  return { ...request, site: { ...request.site, notice } };
}
