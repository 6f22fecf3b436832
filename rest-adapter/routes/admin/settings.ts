import { route } from '../../route.js';

/** What administrators set instead of variables of the environment. */
export const settingsRoutes = [
  route('GET', '/admin/settings', {
    procedure: 'settings.list',
    summary: 'What can be set here instead of in the environment; secrets are never shown',
    errors: [401, 403],
  }),
  route('PATCH', '/admin/settings', {
    procedure: 'settings.change',
    summary: 'Change settings by their names; null unsets. What the environment says is 409',
    errors: [400, 401, 403, 409],
    read: ({ body }) => body.all() as never,
  }),
  route('POST', '/admin/settings/test-mail', {
    procedure: 'settings.testMail',
    summary: 'Send a mail to the own address by what is set now',
    errors: [401, 403, 409, 429, 502],
  }),
  route('POST', '/admin/settings/test-oidc', {
    procedure: 'settings.testProvider',
    summary: 'Ask a provider of sign-ins whether a sign-in could work',
    errors: [400, 401, 403, 404, 409, 429, 502],
    read: ({ body }) => ({ name: body.required('name') }),
  }),
];
