/** The accounts of a demo, whose passwords its sign-in page shows. */
export const DEMO_ACCOUNTS = [
  { username: 'demo', password: 'demo-password', role: 'USER' },
  { username: 'demo-admin', password: 'demo-password', role: 'ADMIN' },
] as const;

/** How often a demo begins anew: on the hour. */
export const DEMO_MS = 60 * 60 * 1000;

/** When the demo began that is there at a time, in epoch milliseconds. */
export const demoBeganAt = (at: number): number => Math.floor(at / DEMO_MS) * DEMO_MS;

/** `HH:MM` (UTC) of when the demo begins anew that is there at a time. */
export const demoEnds = (at: number): string =>
  new Date(demoBeganAt(at) + DEMO_MS).toISOString().slice(11, 16);
