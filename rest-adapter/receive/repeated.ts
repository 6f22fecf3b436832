import type { Method, Route } from '../route.js';

/** Adds the same routes under another prefix, for what clients know by two names. */
export const alsoUnder = (routes: readonly Route[], prefix: string, other: string): Route[] => [
  ...routes,
  ...routes
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map((route) => ({ ...route, path: `${other}${route.path.slice(prefix.length)}` })),
];

/** Adds the same route under other names. */
export const alsoAs = (route: Route, ...others: readonly (readonly [Method, string])[]): Route[] => [
  route,
  ...others.map(([method, path]) => ({ ...route, method, path })),
];
