import { type Operation, operationIdOf } from './operation.js';
import { html } from './responses.js';

/** Pages of the web interface. The server renders them; they have no route. */
const PAGES: Readonly<Record<string, string>> = {
  '/web/image-upload': 'A form for uploading images and video',
  '/web/image-render': 'A form that asks which image to open',
  '/web/image-render/{id}': 'The page of an image or video; the file itself where `Accept` prefers images',
  '/web/paste-create': 'A form for a new paste',
  '/web/paste-render/{id}': 'A paste',
  '/web/url-create': 'A form for a new short link',
  '/web/url-render/{id}': 'A short link and its target',
  '/web/site/render/{id}': 'An item of any kind',
};

function describePage(path: string, summary: string): Operation {
  const byId = path.endsWith('{id}');
  return {
    operationId: operationIdOf('get', path),
    summary,
    description: `${summary}. Pages are rendered by the server and work without scripts.`,
    tags: ['web'],
    security: [{ session: [] }, {}],
    parameters: byId ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : [],
    responses: { '200': html('A page'), ...(byId ? { '404': html('Not found, as a page') } : {}) },
  };
}

/** The target of a link in a mail. */
const VERIFICATION_LINK = '/auth/verify/token';

const verificationLink: Operation = {
  operationId: operationIdOf('get', VERIFICATION_LINK),
  summary: 'The link in the verification e-mail; a page',
  description: 'Activates the account. The code is part of the link and works once.',
  tags: ['auth'],
  security: [],
  parameters: [{ name: 'code', in: 'query', required: true, schema: { type: 'string' } }],
  responses: { '200': html('A page'), '400': html('Bad request, as a page') },
};

/** The operations of every page, by path. */
export const describePages = (): Record<string, { readonly get: Operation }> => ({
  [VERIFICATION_LINK]: { get: verificationLink },
  ...Object.fromEntries(
    Object.entries(PAGES).map(([path, summary]) => [path, { get: describePage(path, summary) }]),
  ),
});
