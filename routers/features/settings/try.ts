import { fail } from '../../base/errors.js';
import { i18nOf, languageFor } from '../../base/language/i18n.js';
import { localizable } from '../../base/language/localizable.js';
import { ProviderDown, ProviderRefused } from '../../base/ports/provider.js';
import { accountOf } from '../../core/accounts/people.js';
import { brandingOf } from '../../core/branding/branding.js';
import type { AccountContext } from '../../core/context.js';
import { requireOutgoing } from '../../core/outgoing.js';

/** How much of what another server said is shown. */
const SAID_CHARS = 300;

const saidBy = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, SAID_CHARS);

/** Sends a mail to the caller and waits until it is taken; 502 with the reason if it is not. */
export async function tryMail(ctx: AccountContext): Promise<{ to: string; through: string | null }> {
  const { app, account } = ctx;
  requireOutgoing(app);
  await app.limits.rates.take('mail', `test|${account.id}`);
  const { email: to } = await accountOf(app, account.id);
  const { t } = await i18nOf(languageFor(account.language, ctx.acceptLanguage, app.settings.language));
  const { name } = await brandingOf(app);
  const { transport } = app.mail;
  try {
    await transport.send({
      to,
      subject: t('Test mail from {name}', { name }),
      text: t('Mails from {origin} arrive.', { origin: app.settings.origin }),
    });
  } catch (error) {
    app.log.warn({ err: error }, 'a test mail was not sent');
    fail('PROVIDER_FAILED', localizable('The mail was not sent: {reason}', { reason: saidBy(error) }));
  }
  return { to, through: transport.label };
}

/**
 * Whether a sign-in with a provider could work: what it says of itself is read, and a code that nobody was given is
 * exchanged, which it refuses; what is wrong with the client it refuses otherwise.
 */
export async function tryProvider(ctx: AccountContext, asked: string): Promise<{ callback: string }> {
  const { app, account } = ctx;
  requireOutgoing(app);
  await app.limits.rates.take('webhookTest', `oidc|${account.id}`);
  const provider = app.oidc.find(({ name }) => name === asked.toLowerCase()) ?? fail('OIDC_ABSENT');
  const callback = `${app.settings.baseUrl}/auth/oidc/${provider.name}/callback`;
  const nobody = { state: 'test', nonce: 'test', redirectUri: callback };
  try {
    await provider.exchange({ ...nobody, query: '?code=test&state=test', codeVerifier: 'test'.repeat(12) });
  } catch (error) {
    // The code, not the client, was refused.
    if (error instanceof ProviderRefused) return { callback };
    if (!(error instanceof ProviderDown)) throw error;
    app.log.warn({ err: error }, 'a provider of sign-ins was tried in vain');
    fail('PROVIDER_FAILED', localizable('The sign-in does not work: {reason}', { reason: saidBy(error) }));
  }
  return fail('PROVIDER_FAILED', 'The provider accepted a code that it never gave');
}
