import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { BrandingRecord } from '../../../routers/core/branding/fields.js';
import { LinkButton, Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Minute } from '../components/form/date.js';
import { Field, TextArea } from '../components/form/field.js';
import { bind, Form, stateOf, untouched } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import { shownMoment } from '../edit/editing.js';
import type { FormPageProps } from '../page-props.js';
import type { ListedImage } from '../records.js';
import { USUAL_ACCENT } from './accent.js';
import { linksAsText } from './links-text.js';
import { LogoCard } from './logo-card.js';
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
  pictures,
  state = untouched,
}: FormPageProps<{
  readonly branding: BrandingRecord;
  /** What may become the logo. */
  readonly pictures: readonly ListedImage[];
}>) {
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
      <div class="columns uneven">
        <Form action="/web/admin/branding" state={state}>
          <Card title={t('Name and looks')}>
            <Field
              {...field('name', branding.name)}
              label={t('Name')}
              maxLength={60}
              hint={t('In titles, mails and link previews. Empty for Holdall.')}
              autocomplete="off"
            />
            <Field
              {...field('tagline', branding.tagline)}
              label={t('Tagline')}
              maxLength={200}
              hint={t('On the start page and in its preview.')}
            />
            <Field
              {...field('accent', branding.accent ?? USUAL_ACCENT)}
              type="color"
              label={t('Accent colour')}
              hint={t('Adjusted automatically so text stays readable.')}
            />
            {branding.accent !== null && (
              <Submit look="plain" icon="back" name="action" value="usual-accent" unchecked>
                {t('Use the usual colour')}
              </Submit>
            )}
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
              <Minute
                {...field('bannerUntil', shownMoment(banner?.until ?? null))}
                label={t('Shown until')}
              />
            </div>
          </Card>
          <Card title={t('Links')}>
            <TextArea
              {...field('footerLinks', linksAsText(branding.footerLinks))}
              label={t('Links in the footer')}
              rows={3}
              placeholder={t('Status https://status.example.com/')}
              hint={t('One on each line: its text, then its address.')}
              spellcheck={false}
            />
            <Field
              {...field('unknownUrl', branding.unknownUrl)}
              label={t('Where unknown short links lead')}
              hint={t('An address of a page of yours. Empty for a page that says that there is nothing.')}
              inputMode="url"
              spellcheck={false}
            />
          </Card>
          <Card title={t('Policies')} hint={translateMessage(MARKDOWN)}>
            {(['privacy', 'imprint'] as const).map((policy) => (
              <div key={policy}>
                <TextArea
                  {...field(policy, branding[policy])}
                  label={translateMessage(POLICY_PAGES[policy].title)}
                  rows={6}
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
        <LogoCard site={site} logo={branding.logo} pictures={pictures} state={stateOf(state, 'logo')} />
      </div>
    </Page>
  );
}
