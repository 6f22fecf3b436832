import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { BrandingRecord } from '../../../routers/core/branding/fields.js';
import { LinkButton, Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { Form, typed, untouched } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import { linksAsText } from './links-text.js';
import { POLICY_PAGES } from './parts.js';

const KINDS = [
  ['info', msg('Information')],
  ['warning', msg('Warning')],
] as const;

const MARKDOWN = msg('In Markdown: # for a heading, - for a list, [text](address) for a link.');

/** How the installation presents itself, for administrators. */
export function BrandingPage({
  site,
  branding,
  state = untouched,
}: FormPageProps<{ readonly branding: BrandingRecord }>) {
  // One that is over could not be saved again.
  const isEnded = branding.banner?.until != null && Date.parse(branding.banner.until) <= Date.now();
  const banner = isEnded ? null : branding.banner;
  return (
    <Page site={site} title={t('Appearance')}>
      <Heading
        title={t('Appearance')}
        lead={t('The name, the looks and the policies of this installation.')}
      />
      <Form action="/web/admin/branding" state={state}>
        <Card title={t('Name and looks')}>
          <div class="pair">
            <Field
              name="name"
              label={t('Name')}
              value={typed(state, 'name', branding.name)}
              error={state.errors.name}
              maxLength={60}
              hint={t('In titles, mails and link previews. Empty for Holdall.')}
              autocomplete="off"
            />
            <Field
              name="accent"
              label={t('Accent colour')}
              value={typed(state, 'accent', branding.accent)}
              error={state.errors.accent}
              maxLength={7}
              placeholder="#0c6a57"
              hint={t('Made darker or lighter where text needs it, in light and in dark.')}
              spellcheck={false}
              autocomplete="off"
              optional
            />
          </div>
          <Field
            name="tagline"
            label={t('Tagline')}
            value={typed(state, 'tagline', branding.tagline)}
            error={state.errors.tagline}
            maxLength={200}
            hint={t('On the start page and in its preview.')}
            optional
          />
          <Field
            name="logo"
            label={t('Logo')}
            value={typed(state, 'logo', branding.logo)}
            error={state.errors.logo}
            maxLength={64}
            hint={t('The ID of a picture of yours that is public. A square one fits best.')}
            spellcheck={false}
            autocomplete="off"
            optional
          />
          <TextArea
            name="footerLinks"
            label={t('Links in the footer')}
            value={typed(state, 'footerLinks', linksAsText(branding.footerLinks))}
            error={state.errors.footerLinks}
            rows={3}
            placeholder={t('Status https://status.example.com/')}
            hint={t('One on each line: its text, then its address.')}
            spellcheck={false}
            optional
          />
        </Card>
        <Card title={t('Banner')} hint={t('At the top of every page.')}>
          <Field
            name="bannerText"
            label={t('Text')}
            value={typed(state, 'bannerText', banner?.text)}
            error={state.errors.bannerText}
            maxLength={500}
            hint={t('Empty for no banner.')}
            optional
          />
          <div class="pair">
            <Select
              name="bannerKind"
              label={t('Kind')}
              value={typed(state, 'bannerKind', banner?.kind ?? 'info')}
              options={optionsOf(KINDS)}
            />
            <Field
              name="bannerUntil"
              label={t('Shown until')}
              value={typed(state, 'bannerUntil', banner?.until)}
              error={state.errors.bannerUntil}
              maxLength={64}
              placeholder="2027-01-31 18:00"
              hint={t('UTC. Empty for without end.')}
              autocomplete="off"
              optional
            />
          </div>
        </Card>
        <Card title={t('Policies')} hint={translateMessage(MARKDOWN)}>
          {(['privacy', 'imprint'] as const).map((policy) => (
            <div key={policy}>
              <TextArea
                name={policy}
                label={translateMessage(POLICY_PAGES[policy].title)}
                value={typed(state, policy, branding[policy])}
                error={state.errors[policy]}
                rows={10}
                maxLength={50_000}
                optional
              />
              {branding[policy] !== null && (
                <LinkButton href={POLICY_PAGES[policy].path} look="quiet">
                  {policy === 'privacy' ? t('Open privacy') : t('Open imprint')}
                </LinkButton>
              )}
            </div>
          ))}
        </Card>
        <Submit>{t('Save')}</Submit>
      </Form>
    </Page>
  );
}
