/** What of a record says how much of it may be told: everything, the words only, or nothing. */
interface Visibility {
  readonly requiresPassword?: boolean;
  readonly isPublic?: boolean;
  readonly maxViews?: number | null | undefined;
}

/** Whether an item is not for everybody. */
export function isClosed(item: Visibility): boolean {
  return item.requiresPassword === true || item.isPublic === false;
}

/** Whether each look at an item uses it up. */
export function countsViews(item: Visibility): boolean {
  return item.maxViews !== undefined && item.maxViews !== null;
}
