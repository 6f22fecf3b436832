import { type PageAnswer, type PageRequest, page } from '../request.js';
import { mayMake } from '../site.js';
import { ReadsOnlyPage } from './gate-pages.js';

/** A page with a form for creating something; read-only accounts get an explanation instead. */
export const creatorOnly =
  (answer: (request: PageRequest) => PageAnswer | Promise<PageAnswer>) =>
  async (request: PageRequest): Promise<PageAnswer> =>
    mayMake(request.site.viewer) ? answer(request) : page(<ReadsOnlyPage site={request.site} />, 403);
