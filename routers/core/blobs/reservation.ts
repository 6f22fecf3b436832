/** How long a file can be registered after its upload address has expired; it may still have been uploading. */
export const REGISTER_GRACE_MS = 50 * 60_000;
