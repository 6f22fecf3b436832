/** Operations of the interface that are not served yet. */
export const pending: readonly string[] = [];
