import { routes } from '../../../rest-adapter/routes/index.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { getPage, page } from '../request.js';
import { type ApiDocument, referenceOf } from './api-reference.js';
import { ApiDocsPage, type ApiReference } from './apidocs-page.js';

let read: (() => Promise<ApiReference>) | null = null;

/** The API reference, from the same document as `openapi.json`. */
export const apidocsPages = [
  getPage('/apidocs', async ({ site, ctx }) => {
    const { version, baseUrl } = ctx.app.settings;
    read ??= loadedOnce(() => readReference(version, baseUrl));
    const command = `curl -H 'X-API-Key: <your key>' -F file=@picture.png ${site.origin}/v1/image/upload`;
    return page(
      <ApiDocsPage site={site} reference={await read()} example={await ctx.app.highlight(command, 'bash')} />,
    );
  }),
];

/** The generator is large and rarely needed, so it is loaded when the reference is opened. */
async function readReference(version: string, baseUrl: string): Promise<ApiReference> {
  const { describeApi } = await import('../../../rest-adapter/openapi/index.js');
  return referenceOf(describeApi(routes, { version, baseUrl }) as unknown as ApiDocument);
}
