import { z } from 'zod';

/** Which part of a list is wanted; pages are counted from 0. */
export const pageInput = {
  page: z.int().min(0).max(1_000_000).nullish(),
  size: z.int().min(1).max(500).nullish(),
};

/** Fields of every list that comes in pages. */
export const pageOutput = {
  totalElements: z.int(),
  totalPages: z.int(),
  currentPage: z.int(),
  pageSize: z.int(),
};

const PAGE_SIZE = 25;

/** The part of a list that a page is. */
export function windowOf(input: {
  readonly page?: number | null | undefined;
  readonly size?: number | null | undefined;
}) {
  const page = input.page ?? 0;
  const size = input.size ?? PAGE_SIZE;
  return { page, size, limit: size, offset: page * size };
}

/** What `pageOutput` says of a list of this length. */
export const pageOf = (window: { readonly page: number; readonly size: number }, total: number) => ({
  totalElements: total,
  totalPages: Math.ceil(total / window.size),
  currentPage: window.page,
  pageSize: window.size,
});
