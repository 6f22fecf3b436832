import { fail } from '../../base/errors.js';
import type { Context } from '../context.js';

/** The cookies of flows that go to a provider and come back. */
const FLOW_COOKIES = ['oauth_state', 'oidc_state'] as const;

/**
 * Refuses to finish for one account what another one began, or what it began in a session that is over: the people may
 * be different ones at the same browser. `inSession`: whether it began in a session, not with a key, which browsers
 * coming back do not send. They keep strict cookies back as well; `forgetFlows` protects those.
 */
export async function requireSameHolder(
  ctx: Context,
  holder: { readonly id: number },
  inSession: boolean,
): Promise<void> {
  const caller = await ctx.caller();
  const isTheirs = caller === null ? !inSession || ctx.app.settings.strictCookies : caller.id === holder.id;
  if (!isTheirs) fail('OAUTH_STATE');
}

/** Drops the flows that this browser began, when somebody signs in or out. */
export function forgetFlows(ctx: Context): void {
  for (const name of FLOW_COOKIES)
    if (ctx.cookie(name) !== null && !ctx.outgoingCookies.some((change) => change.name === name))
      ctx.outgoingCookies.push({ name, value: null, maxAgeSeconds: 0 });
}
