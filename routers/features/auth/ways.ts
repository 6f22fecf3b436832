import { fail } from '../../base/errors.js';
import type { Services } from '../../core/context.js';
import type { SignInWay } from '../../core/settings.js';

/** Refuses a way to sign in that the operator does not offer (`SIGN_IN`). */
export function requireOffered({ settings }: Services, way: SignInWay): void {
  if (!settings.signIn.includes(way)) fail('SIGN_IN_WAY');
}
