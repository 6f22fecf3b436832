import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { BrandingRecord } from '../../../routers/core/branding/fields.js';
import { LinkButton, Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
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
  const { field } = bind(state);
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
              {...field('name', branding.name)}
              label={t('Name')}
              maxLength={60}
              hint={t('In titles, mails and link previews. Empty for Holdall.')}
              autocomplete="off"
            />
            <Field
              {...field('accent', branding.accent)}
              label={t('Accent colour')}
              maxLength={7}
              placeholder="#0c6a57"
              hint={t('Adjusted automatically so text stays readable.')}
              spellcheck={false}
              autocomplete="off"
            />
          </div>
          <Field
            {...field('tagline', branding.tagline)}
            label={t('Tagline')}
            maxLength={200}
            hint={t('On the start page and in its preview.')}
          />
          <Field
            {...field('logo', branding.logo)}
            label={t('Logo')}
            maxLength={64}
            hint={t('The ID of a picture of yours that is public. A square one fits best.')}
            spellcheck={false}
            autocomplete="off"
          />
          <Field
            {...field('unknownUrl', branding.unknownUrl)}
            label={t('Where unknown short links lead')}
            hint={t('An address of a page of yours. Empty for a page that says that there is nothing.')}
            inputMode="url"
            spellcheck={false}
          />
          <TextArea
            {...field('footerLinks', linksAsText(branding.footerLinks))}
            label={t('Links in the footer')}
            rows={3}
            placeholder={t('Status https://status.example.com/')}
            hint={t('One on each line: its text, then its address.')}
            spellcheck={false}
          />
        </Card>
        <Card title={t('Banner')} hint={t('At the top of every page.')}>
          <Field
            {...field('bannerText', banner?.text)}
            label={t('Text')}
            maxLength={500}
            hint={t('Empty for no banner.')}
          />
          <div class="pair">
            <Select
              {...field('bannerKind', banner?.kind ?? 'info')}
              label={t('Kind')}
              options={optionsOf(KINDS)}
            />
            <Field
              {...field('bannerUntil', banner?.until)}
              label={t('Shown until')}
              maxLength={64}
              placeholder="2027-01-31 18:00"
              hint={t('UTC. Empty for without end.')}
              autocomplete="off"
            />
          </div>
        </Card>
        <Card title={t('Policies')} hint={translateMessage(MARKDOWN)}>
          {(['privacy', 'imprint'] as const).map((policy) => (
            <div key={policy}>
              <TextArea
                {...field(policy, branding[policy])}
                label={translateMessage(POLICY_PAGES[policy].title)}
                rows={10}
                maxLength={50_000}
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
