import type { Method, Route } from './route.js';

/** Routes under another prefix as well: what clients know by two names is written once. */
export const alsoUnder = (routes: readonly Route[], prefix: string, other: string): Route[] => [
  ...routes,
  ...routes
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map((route) => ({ ...route, path: `${other}${route.path.slice(prefix.length)}` })),
];

/** A route by other names as well. */
export const alsoAs = (route: Route, ...others: readonly (readonly [Method, string])[]): Route[] => [
  route,
  ...others.map(([method, path]) => ({ ...route, method, path })),
];
