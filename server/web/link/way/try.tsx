import type { Fields } from '../../../../rest-adapter/fields.js';
import { msg, t, translateMessage } from '../../../../routers/base/language/i18n.js';
import type { Message } from '../../../../routers/base/language/message.js';
import { parseMoment } from '../../../../routers/base/text/dates.js';
import { parametersIn, ruleFor } from '../../../../routers/features/link/decide.js';
import { Submit } from '../../components/button.js';
import { Select } from '../../components/form/choices.js';
import { Field } from '../../components/form/field.js';
import { Card } from '../../components/parts.js';
import { count } from '../../format.js';
import type { ShortUrlRecord } from '../../records.js';
import { variantName } from './words.js';

/** The visitors that can be tried: what rules see of their devices. */
const VISITORS: readonly (readonly [name: string, words: Message, devices: readonly string[]])[] = [
  ['iphone', msg('iPhone or iPad'), ['ios', 'mobile']],
  ['android', msg('Android'), ['android', 'mobile']],
  ['windows', msg('Windows'), ['windows', 'desktop']],
  ['mac', msg('Mac'), ['macos', 'desktop']],
  ['linux', msg('Linux'), ['linux', 'desktop']],
  ['bot', msg('a bot'), ['desktop']],
];

/** Who is tried. */
export interface Tried {
  readonly visitor: string;
  readonly country: string;
  readonly language: string;
  readonly query: string;
  readonly time: string;
}

/** Who is asked about in the query of a page; null for nobody. */
export const triedIn = (query: Fields): Tried | null =>
  query.raw('visitor') === undefined
    ? null
    : {
        visitor: query.string('visitor'),
        country: query.string('country').trim().toUpperCase(),
        language: query.string('language').trim().toLowerCase(),
        query: query.string('query'),
        time: query.string('time'),
      };

type Way = Pick<ShortUrlRecord, 'rules' | 'split' | 'originalUrl'>;

/** Where a visitor is led, and by what: one target, or each part with its chance. */
function resultOf({ rules, split, originalUrl }: Way, tried: Tried): readonly string[] {
  const [, , devices = []] = VISITORS.find(([name]) => name === tried.visitor) ?? [];
  const bot = tried.visitor === 'bot';
  const visit = {
    devices,
    country: bot || tried.country === '' ? null : tried.country,
    languages: tried.language === '' ? [] : [tried.language],
    query: parametersIn(tried.query),
    bot,
  };
  const at = parseMoment(tried.time)?.at ?? Date.now();
  const index = ruleFor(rules, visit, at);
  const rule = rules[index];
  if (rule !== undefined) return [`${variantName(`rule-${index + 1}`)} → ${rule.url}`];
  if (split.length === 0) return [t('No rule fits → {url}', { url: originalUrl ?? '' })];
  const all = split.reduce((sum, { weight }) => sum + weight, 0);
  return split.map(
    ({ url, weight }, part) =>
      `${variantName(`split-${part + 1}`)}, ${count(Math.round((100 * weight) / all))}% → ${url}`,
  );
}

/** Asks where somebody would be led, and answers. */
export function TryCard({
  path,
  link,
  tried,
}: {
  readonly path: string;
  readonly link: Way;
  readonly tried: Tried | null;
}) {
  return (
    <Card title={t('Try it')} hint={t('Where would this visitor be led? Nothing is counted.')} id="try">
      <form class="form" method="get" action={`${path}#try`}>
        <div class="form pair">
          <Select
            name="visitor"
            label={t('Device')}
            value={tried?.visitor ?? ''}
            options={VISITORS.map(([name, words]) => [name, translateMessage(words)])}
          />
          <Field name="country" label={t('Country')} value={tried?.country} placeholder="DE" maxLength={2} />
          <Field
            name="language"
            label={t('Language')}
            value={tried?.language}
            placeholder="de"
            maxLength={35}
          />
          <Field name="query" label={t('Parameters')} value={tried?.query} placeholder="ref=mail" />
          <Field name="time" label={t('Time')} value={tried?.time} placeholder={t('now')} />
        </div>
        <div class="actions">
          <Submit look="plain">{t('Try')}</Submit>
        </div>
      </form>
      {tried !== null && (
        <ul class="ways" role="status">
          {resultOf(link, tried).map((line) => (
            <li key={line}>
              <strong>{line}</strong>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
