import type { SettingRecord } from '../../../routers/features/settings/public.js';
import type { FormState } from '../components/form/form.js';
import { again, orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { providersIn, SettingsPage, type Tried } from './settings-page.js';

/** What administrators set instead of variables. */
export const installationPages = [
  getPage('/admin/settings', async (request) => page(await show(request))),
  postForm('/admin/settings', again(show, save)),
  postForm('/admin/settings/test-mail', (request) =>
    trying(request, async ({ call, site }) => {
      const { to, through } = await call.settings.testMail();
      const { t } = site.i18n;
      return through === null
        ? t('The mail to {to} was written to a file: no way to send mail is set.', { to })
        : t('A test mail to {to} is on its way.', { to });
    }),
  ),
  postForm('/admin/settings/test-oidc', (request) =>
    trying(request, async ({ call, site, body }) => {
      const name = body.string('name');
      await call.settings.testProvider({ name });
      return site.i18n.t('{name} answers and knows this client.', { name });
    }),
  ),
];

async function show({ call, site }: PageRequest, state?: FormState, tried: Tried | null = null) {
  const settings = await call.settings.list();
  const isOwner = site.viewer?.role === 'OWNER';
  return <SettingsPage site={site} settings={settings} isOwner={isOwner} tried={tried} state={state} />;
}

const trying = (request: PageRequest, work: (request: PageRequest) => Promise<string>): Promise<PageAnswer> =>
  orShowAgain(
    request,
    async () => page(await show(request, undefined, { good: await work(request) })),
    (state) =>
      show(request, { ...state, values: { action: request.site.path.endsWith('mail') ? 'mail' : 'oidc' } }),
  );

/** Saves what was changed in the group of the form: somebody else may have changed the rest meanwhile. */
async function save(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  const group = body.string('action');
  if (group === 'add-oidc') return addProvider(request);
  const shown = (await call.settings.list()).filter((setting) => setting.group === group && !setting.fixed);
  const change = Object.fromEntries(
    shown.flatMap((setting) => {
      const value = sentValue(setting, body);
      return value === undefined || value === setting.value ? [] : [[setting.name, value] as const];
    }),
  );
  await call.settings.change(change);
  return goTo(`/web/admin/settings?done=saved#${shown[0]?.group ?? ''}`);
}

async function addProvider({ call, body }: PageRequest): Promise<PageAnswer> {
  const name = body.string('newName').trim().toLowerCase();
  const before =
    (await call.settings.list()).find((setting) => setting.name === 'OIDC_PROVIDERS')?.value ?? '';
  const prefix = `OIDC_${name.toUpperCase().replaceAll('-', '_')}_`;
  await call.settings.change({
    OIDC_PROVIDERS: [...providersIn(before), name].join(','),
    [prefix.concat('ISSUER')]: body.string('newIssuer'),
    [prefix.concat('CLIENT_ID')]: body.string('newClientId'),
    [prefix.concat('CLIENT_SECRET')]: body.string('newSecret') || null,
  });
  return goTo('/web/admin/settings?done=saved#oidc');
}

function sentValue(
  { name, secret, many }: SettingRecord,
  body: PageRequest['body'],
): string | null | undefined {
  if (many) return (body.list(name) ?? []).join(',') || null;
  const text = body.string(name).trim();
  if (secret) return body.boolean(`unset-${name}`) === true ? null : text || undefined;
  return text || null;
}
