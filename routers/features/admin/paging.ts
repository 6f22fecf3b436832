import { z } from 'zod';
import { type PageAsked, pageNumber } from '../../base/paging.js';

/** The requested page of a list. */
export const pageInput = { page: pageNumber.nullish(), size: z.int().min(1).max(500).nullish() };

/** Fields of every paged list. */
export const pageOutput = {
  totalElements: z.int(),
  totalPages: z.int(),
  currentPage: z.int(),
  pageSize: z.int(),
};

const PAGE_SIZE = 25;

/** The page requested by `pageInput`. */
export const pageAsked = (input: {
  readonly page?: number | null | undefined;
  readonly size?: number | null | undefined;
}): PageAsked => ({ page: input.page ?? 0, pageSize: input.size ?? PAGE_SIZE });

/** The fields of `pageOutput` for a list of this length. */
export const pageCounts = ({ page, pageSize }: PageAsked, total: number) => ({
  totalElements: total,
  totalPages: Math.ceil(total / pageSize),
  currentPage: page,
  pageSize,
});
