import { z } from 'zod';
import type { Wire } from './wire.js';

/** A page of a list, as procedures return it. */
interface Listed<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly isCapped?: true | undefined;
}

/** The page that a request asks for: `page` from 0, `size`. */
export const pageIn = ({ query }: Wire) => ({
  page: query.number('page'),
  pageSize: query.number('size', 'pageSize'),
});

/** A page of records on the wire. */
export const pageMessage = <T extends z.ZodType>(record: T) =>
  z.object({
    content: z.array(record),
    totalElements: z.int(),
    totalPages: z.int(),
    currentPage: z.int(),
    pageSize: z.int(),
  });

/** A page in that form. */
export const pageReply = <T>({ items, total, page, pageSize }: Listed<T>) => ({
  content: [...items],
  totalElements: total,
  totalPages: Math.ceil(total / pageSize),
  currentPage: page,
  pageSize,
});

/** As `pageMessage`, for a search, of which there may be more than the total says: only then `totalIsCapped` is there. */
export const foundMessage = <T extends z.ZodType>(record: T) =>
  pageMessage(record).extend({ totalIsCapped: z.literal(true).optional() });

/** A page in that form. */
export const foundReply = <T>(page: Listed<T>) => ({
  ...pageReply(page),
  ...(page.isCapped ? { totalIsCapped: true as const } : {}),
});
