import { fail } from '../../base/errors.js';
import type { Services, SignInWay } from '../../core/context.js';

/** Refuses a way to sign in that the operator does not offer (`SIGN_IN`). */
export function requireOffered({ settings }: Services, way: SignInWay): void {
  if (!settings.signIn.includes(way)) fail('SIGN_IN_WAY');
}
