/** The fields of a record that determine who may see it. */
interface Visibility {
  readonly requiresPassword?: boolean;
  readonly isPublic?: boolean;
  readonly maxViews?: number | null | undefined;
}

/** Whether an item is not public. */
export function isClosed(item: Visibility): boolean {
  return item.requiresPassword === true || item.isPublic === false;
}

/** Whether an item has a limited number of views. */
export function countsViews(item: Visibility): boolean {
  return item.maxViews !== undefined && item.maxViews !== null;
}
