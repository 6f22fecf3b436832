import { t } from '../../../../routers/base/language/i18n.js';
import { listPath } from '../../address.js';
import { LinkButton, Submit } from '../../components/button.js';
import { type Point, Shares } from '../../components/chart.js';
import { Select } from '../../components/form/choices.js';
import { Field } from '../../components/form/field.js';
import { Heading, Page } from '../../components/page/page.js';
import { Card, Figure } from '../../components/parts.js';
import { count } from '../../format.js';
import type { PageProps } from '../../page-props.js';
import type { LinkSums } from '../../records.js';
import { variantName } from '../way/words.js';

/** Where the visits of many links are summed. */
export const SUMS_PATH = '/web/link-sums';

/** Which links, over which days; empty for all. */
interface SumFilter {
  readonly tag: string;
  readonly domain: string;
  readonly from: string;
  readonly to: string;
}

/** The visits of the own links together. */
export function SumsPage({
  site,
  filter,
  sums,
  tags,
  hosts,
}: PageProps<{
  readonly filter: SumFilter;
  readonly sums: LinkSums;
  readonly tags: readonly string[];
  /** The hosts of short addresses, that of the installation first. */
  readonly hosts: readonly string[];
}>) {
  const choices = (names: readonly string[], all: string) => [
    ['', all] as const,
    ...names.map((name) => [name, name] as const),
  ];
  const download = (format: string) => listPath('/v1/stats/links/export', { ...filter, format });
  return (
    <Page site={site} title={t('Visits of all links')} width="wide">
      <Heading title={t('Visits of all links')} lead={t('Counted by day, in UTC.')}>
        <LinkButton href={download('csv')} icon="download">
          {t('As CSV')}
        </LinkButton>
        <LinkButton href={download('json')} icon="download">
          {t('As JSON')}
        </LinkButton>
      </Heading>
      <Card>
        <form class="form" method="get" action={SUMS_PATH}>
          <div class="form pair">
            <Select name="tag" label={t('Tag')} value={filter.tag} options={choices(tags, t('All'))} />
            <Select
              name="domain"
              label={t('Domain')}
              value={filter.domain}
              options={choices(hosts, t('All'))}
            />
            <Field name="from" type="date" label={t('From the day')} value={filter.from} />
            <Field name="to" type="date" label={t('To the day')} value={filter.to} />
          </div>
          <div class="actions">
            <Submit look="plain">{t('Show')}</Submit>
          </div>
        </form>
      </Card>
      <div class="figures">
        <Figure label={t('Visits')} value={count(sums.visits)} />
        <Figure label={t('People')} value={count(sums.people)} />
        <Figure label={t('Bots')} value={count(sums.bots)} />
      </div>
      <div class="traits">
        <Card title={t('Tags')}>
          <Shares points={points(sums.tags)} />
        </Card>
        <Card title={t('Domains')}>
          <Shares points={points(sums.domains)} />
        </Card>
        <Card title={t('Rules and parts')}>
          <Shares points={points(sums.variants, variantName)} />
        </Card>
      </div>
    </Page>
  );
}

const points = (shares: LinkSums['tags'], inWords = (name: string) => name): Point[] =>
  shares.map(({ name, visits }) => ({ label: inWords(name), value: visits }));
