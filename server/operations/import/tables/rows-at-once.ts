/** How many rows of a table are read at once. */
export const rowsAtOnce = (has: 'contents' | undefined): number => (has === 'contents' ? 1 : 200);
