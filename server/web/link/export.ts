import { PAGE_SIZE } from '../account/export-lists.js';
import type { PageRequest } from '../request.js';

/** All short links of an account. */
export const listLinks =
  ({ library }: PageRequest['call']) =>
  (page: number) =>
    library.urls({ page, pageSize: PAGE_SIZE });
