import { t, translateMessage } from '../../../../routers/base/language/i18n.js';
import type { Branding } from '../../../../routers/core/branding/branding.js';
import { logoPath, POLICY_PAGES } from '../../branding/parts.js';
import type { Site } from '../../site.js';
import { Icon } from '../icon.js';

/** The mark and the name of the installation. */
export function Brand({ site: { branding } }: { readonly site: Site }) {
  return (
    <>
      {branding.logo === null ? (
        <Icon name="bag" />
      ) : (
        <img src={logoPath(branding.logo, 96)} alt="" width="32" height="32" />
      )}
      <span dir="auto">{branding.name}</span>
    </>
  );
}

/** The icons of the browser's tab and of a phone's home screen. */
export function BrandingIcons({ branding }: { readonly branding: Branding }) {
  if (branding.logo !== null) {
    return (
      <>
        <link rel="icon" href={logoPath(branding.logo, 96)} type="image/png" />
        <link rel="apple-touch-icon" href={logoPath(branding.logo, 192)} />
      </>
    );
  }
  return (
    <>
      <link rel="icon" href="/favicon.ico" sizes="48x48" />
      <link rel="icon" href="/web/assets/icon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </>
  );
}

/** What the operator tells everybody. */
export function BrandingBanner({ branding: { banner } }: { readonly branding: Branding }) {
  if (banner === null) return null;
  return (
    <p class={`banner ${banner.kind}`} role="note">
      <Icon name={banner.kind} />
      <span dir="auto">{banner.text}</span>
    </p>
  );
}

/** That it is a demo, and until when what somebody does stays. */
export function DemoBanner({ site: { demoEnds: time } }: { readonly site: Site }) {
  if (time === null) return null;
  return (
    <p class="banner" role="note">
      <Icon name="info" />
      <span>{t('This is a demo. Everything is reset at {time} UTC.', { time })}</span>
    </p>
  );
}

/** The links at the end of every page. */
export function BrandingLinks({ branding }: { readonly branding: Branding }) {
  return (
    <nav class="links" aria-label={t('About')}>
      <a href="/web/apidocs">{t('API')}</a>
      {branding.policies.map((policy) => (
        <a key={policy} href={POLICY_PAGES[policy].path}>
          {translateMessage(POLICY_PAGES[policy].title)}
        </a>
      ))}
      {branding.footerLinks.map(({ label, url }) => (
        <a key={`${label} ${url}`} href={url} dir="auto">
          {label}
        </a>
      ))}
    </nav>
  );
}
