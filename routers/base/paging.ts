import { z } from 'zod';
import type { Page, Window } from '../../db/engine/paging.js';
import { unlessRemoved } from './errors.js';
import { inParts } from './parts.js';

/** The page of a list; pages are counted from 0. */
export const pageNumber = z.int().min(0).max(1_000_000);

/** Input fields for a page of a list. */
export const pageFields = (defaultSize: number, max: number) => ({
  page: pageNumber.default(0),
  pageSize: z.int().min(1).max(max).default(defaultSize),
});

/** The requested page and its size. */
export interface PageAsked {
  readonly page: number;
  readonly pageSize: number;
}

/** The section of the list on a page. */
export const windowOf = ({ page, pageSize }: PageAsked): Window => ({
  limit: pageSize,
  offset: page * pageSize,
});

/** A page of records with the length of the whole list. */
export const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({
    items: z.array(record),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    /** There may be more than `total`; missing if there are not. */
    isCapped: z.literal(true).optional(),
  });

/** Builds the output described by `pageOf`. */
export async function toPage<T, R>(
  { page, pageSize }: PageAsked,
  list: Page<T>,
  toRecord: (item: T) => Promise<R>,
) {
  const items = await recordsOf(list.items, toRecord);
  return { items, total: list.total, page, pageSize, ...(list.isCapped ? { isCapped: true as const } : {}) };
}

/** The records of a list's items, without those deleted with their owner since the list was read. */
export async function recordsOf<T, R>(items: readonly T[], toRecord: (item: T) => Promise<R>): Promise<R[]> {
  const records = await inParts(items, (part) =>
    Promise.all(part.map((item) => unlessRemoved(toRecord(item)))),
  );
  return records.filter((record) => record !== null);
}

/** The page of a list as later lists are asked for (`?page=0&size=25`). */
export const contentPageInput = z.object({
  page: pageNumber.nullish(),
  size: z.int().min(1).max(100).nullish(),
});
type ContentPageInput = z.output<typeof contentPageInput>;

/** A page of records as later lists are answered. */
export const contentPageOf = <T extends z.ZodType>(record: T) =>
  z.object({
    content: z.array(record),
    totalElements: z.int(),
    totalPages: z.int(),
    currentPage: z.int(),
    pageSize: z.int(),
  });

/** The page that `contentPageInput` asks for. */
export const contentPageAsked = (input?: ContentPageInput): PageAsked => ({
  page: input?.page ?? 0,
  pageSize: input?.size ?? 25,
});

/** Builds the output described by `contentPageOf`. */
export const toContentPage = <R>({ page, pageSize }: PageAsked, content: R[], total: number) => ({
  content,
  totalElements: total,
  totalPages: Math.ceil(total / pageSize),
  currentPage: page,
  pageSize,
});
