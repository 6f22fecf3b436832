import { t } from '../../../routers/base/language/i18n.js';
import { ActionForm } from '../components/form/form.js';
import { Card, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { IdentityRecord } from '../records.js';
import { rich } from '../rich.js';

/** The identities at providers that can sign in, and where to link another one; nothing without providers. */
export function IdentityCard({
  site,
  identities,
}: PageProps<{ readonly identities: readonly IdentityRecord[] }>) {
  const { providers } = site.signIn;
  if (providers.length === 0 && identities.length === 0) return null;
  return (
    <Card title={t('Single sign-on')} id="identities" hint={t('Accounts elsewhere that can sign in here.')}>
      <ul class="rows">
        {identities.map((identity) => (
          <li key={identity.id}>
            <span class="what">
              {identity.label}
              <br />
              <span class="hint">
                <bdi>{identity.email ?? identity.name ?? identity.subject}</bdi>{' '}
                {rich('· linked {time}', { time: <Time at={identity.createdAt} /> })}
                {identity.lastUsedAt !== null && (
                  <> {rich('· last used {time}', { time: <Time at={identity.lastUsedAt} /> })}</>
                )}
              </span>
            </span>
            <ActionForm action="/web/settings/security/identities" fields={{ id: identity.id }}>
              {t('Unlink')}
            </ActionForm>
          </li>
        ))}
      </ul>
      <div class="actions">
        {providers.map(({ name, label }) => (
          <a key={name} class="button plain" href={`/v1/auth/oidc/${name}/start?intent=link`}>
            {t('Link an account at {label}', { label })}
          </a>
        ))}
      </div>
    </Card>
  );
}
