import { fail } from '../../routers/base/errors.js';
import type { PageRequest } from './request.js';
import type { Viewer } from './site.js';

/** The signed-in user; without one, the page redirects to sign-in. */
export function requireViewer({ site }: PageRequest): Viewer {
  return site.viewer ?? fail('UNAUTHENTICATED');
}
