import { msg, t, translateMessage } from '../../../../routers/base/language/i18n.js';
import type { Message } from '../../../../routers/base/language/message.js';
import type { Device } from '../../../../routers/features/link/decide.js';
import { bareUrl, countryName, languageName, oneOf } from '../../format.js';
import type { ShortUrlRecord } from '../../records.js';

/** A rule of a link, and a part. */
export type LinkRule = ShortUrlRecord['rules'][number];
export type LinkPart = ShortUrlRecord['split'][number];

/** The devices that rules tell apart. */
export const DEVICE_NAMES: Readonly<Record<Device, Message>> = {
  ios: msg('iPhone or iPad'),
  android: msg('Android'),
  windows: msg('Windows'),
  macos: msg('Mac'),
  linux: msg('Linux'),
  mobile: msg('any phone or tablet'),
  desktop: msg('any computer'),
};

/** Parameters as they stand in an address, where `*` stands for any value. */
export const queryText = (query: Readonly<Record<string, string>> | undefined): string =>
  query === undefined ? '' : new URLSearchParams(query).toString().replaceAll('%2A', '*');

/** What a visit has to be for a rule, in words. */
export function conditionWords({ when }: LinkRule): string[] {
  const { device, country, language, from, to, query, bot } = when;
  const words = [
    device && t('on {devices}', { devices: oneOf(device.map(deviceName)) }),
    country && t('from {countries}', { countries: oneOf(country.map(countryName)) }),
    language && t('who prefers {languages}', { languages: oneOf(language.map(languageName)) }),
    from && t('since {time}', { time: from }),
    to && t('until {time}', { time: to }),
    query && t('with {parameters}', { parameters: `?${queryText(query)}` }),
    bot === undefined ? undefined : bot ? t('only bots') : t('only people'),
  ].filter((word) => word !== undefined);
  return words.length === 0 ? [t('everybody')] : words;
}

const deviceName = (name: string): string => {
  const known = DEVICE_NAMES[name as Device];
  return known === undefined ? name : translateMessage(known);
};

/** The rule or part that led a visit on, by its name in statistics. */
export function variantName(variant: string): string {
  const [kind, n = ''] = variant.split('-');
  return kind === 'rule' ? t('Rule {n}', { n }) : t('Part {n}', { n });
}

/** Who is led where by a link. */
export function WayInWords({
  link: { rules, split, originalUrl },
}: {
  readonly link: Pick<ShortUrlRecord, 'rules' | 'split' | 'originalUrl'>;
}) {
  const all = split.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <ol class="ways">
      {rules.map((rule, index) => (
        <li key={`rule-${index}`}>
          {conditionWords(rule).join(' · ')} → <b>{bareUrl(rule.url)}</b>
        </li>
      ))}
      {split.map(({ url, weight }, index) => (
        <li key={`split-${index}`}>
          {t('{share}% of all others', { share: Math.round((1000 * weight) / all) / 10 })} →{' '}
          <b>{bareUrl(url)}</b>
        </li>
      ))}
      {split.length === 0 && (
        <li>
          {rules.length === 0 ? t('everybody') : t('all others')} → <b>{bareUrl(originalUrl ?? '')}</b>
        </li>
      )}
    </ol>
  );
}
