import { route } from '../route.js';
import type { Wire } from '../wire.js';

const tokenOf = ({ params }: Wire) => ({ token: params.token ?? '' });

/** Ends mails about what was opened, by the link in them. */
export const tellingRoutes = [
  route('GET', '/told/{token}', {
    procedure: 'telling.about',
    summary: 'What the link of a mail ends',
    errors: [400, 404],
    read: tokenOf,
  }),
  route('DELETE', '/told/{token}', {
    procedure: 'telling.stop',
    summary: 'End the mails that a link of one ends',
    errors: [400, 404],
    read: tokenOf,
  }),
];
