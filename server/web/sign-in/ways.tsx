import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import type { Site } from '../site.js';

/** The buttons of the providers with which one can sign in. */
export function ProviderButtons({ site, next }: { readonly site: Site; readonly next: string }) {
  return (
    <>
      {site.signIn.providers.map(({ name, label }) => (
        <p key={name}>
          <a
            class="button plain"
            href={`/v1/auth/oidc/${name}/start?${new URLSearchParams({ intent: 'login', ...(next === '/' ? {} : { next }) })}`}
          >
            {t('Sign in with {label}', { label })}
          </a>
        </p>
      ))}
      {site.chatapp && (
        <p>
          <a class="button plain" href="/v1/chatapp/start?intent=login">
            {t('Sign in with {chatapp}', { chatapp: site.chatapp })}
          </a>
        </p>
      )}
    </>
  );
}

/** The button that signs in with a passkey, shown by its script where the browser has them. */
export function PasskeyButton({ next }: { readonly next: string }) {
  return (
    <p data-passkey-only hidden>
      <button type="button" class="button plain" data-passkey-sign-in data-next={next}>
        {t('Use a passkey')}
      </button>
    </p>
  );
}

/** Registering at a provider with an invite. */
export function ProviderInvites({ site }: { readonly site: Site }) {
  const inviting = site.signIn.providers.filter(({ autoRegister }) => autoRegister === 'invite');
  return (
    <>
      {inviting.map(({ name, label }) => (
        <form key={name} class="form" method="get" action={`/v1/auth/oidc/${name}/start`}>
          <Field name="invite" label={t('Invite code for {label}', { label })} autocomplete="off" required />
          <Submit look="plain">{t('Register with {label}', { label })}</Submit>
        </form>
      ))}
    </>
  );
}
