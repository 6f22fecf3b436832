import { getPage, type PageRequest, page, postForm } from '../request.js';
import { ToldPage } from './told-page.js';

/**
 * The page behind the link in mails about what was opened. Opening it changes nothing, as programs open links, too; mail
 * programs end the mails by a POST of their own (RFC 8058).
 */
export const toldPages = [
  getPage('/told/{token}', async (request) => page(await show(request))),
  postForm('/told/{token}', async (request) => {
    const about = await request.call.telling.stop(tokenOf(request));
    return page(<ToldPage site={request.site} about={about} action={null} />);
  }),
];

const tokenOf = ({ params }: PageRequest) => ({ token: params.token ?? '' });

async function show(request: PageRequest) {
  const { token } = tokenOf(request);
  const about = await request.call.telling.about({ token });
  return <ToldPage site={request.site} about={about} action={`/web/told/${encodeURIComponent(token)}`} />;
}
