/** Costs up to these are checked: more would keep the server busy for seconds with each sign-in. */
const MAX = { bcryptCost: 14, argon2KiB: 256 * 1024, argon2Passes: 16 } as const;

/** A hash that can be checked here; null for any other, whose owner then needs a new password. */
export function checkable(hash: string | null): string | null {
  if (hash === null) return null;
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash) ?? [];
  if (cost !== undefined) return Number(cost) <= MAX.bcryptCost ? hash : null;
  const [, memory, passes] =
    /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=\d{1,3}\$/.exec(hash) ?? [];
  if (memory === undefined) return null;
  return Number(memory) <= MAX.argon2KiB && Number(passes) <= MAX.argon2Passes ? hash : null;
}
