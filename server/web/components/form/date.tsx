import { t } from '../../../../routers/base/language/i18n.js';
import type { Labelled } from './around.js';
import { Field } from './field.js';

/** The end of a day in UTC, which a day stands for where it ends something. */
const DAY_END = 'T23:59:59.999Z';

/** What a calendar cannot show: a time of day, or a text that was refused. */
const isDay = (value: string): boolean => /^(?:\d{4}-\d\d-\d\d)?$/.test(value);

/** The name of a field that takes what it is given in UTC, unless a script lets it take that in the time of its reader. */
const InUtc = ({ label }: Pick<Labelled, 'label'>) => (
  <>
    {label} <span data-zone>UTC</span>
  </>
);

/**
 * The last day of something, chosen in the calendar of the browser: it ends in UTC, which its label says, and with
 * scripts where its reader is. An end with a time of day stays a text, unless it is the end of a day there.
 */
export function LastDay({
  value = null,
  label,
  ...field
}: Omit<Labelled, 'hint'> & { readonly value?: string | null | undefined }) {
  const shown = value?.replace(DAY_END, '') ?? '';
  const calendar = isDay(shown);
  return (
    <Field
      {...field}
      label={<InUtc label={label} />}
      type={calendar ? 'date' : 'text'}
      hint={calendar ? null : <span data-day-hint>{t('A date such as 2026-12-31')}</span>}
      value={shown}
      data-last-day
    />
  );
}

/** What a calendar with a clock can show. */
const isMinute = (value: string): boolean => /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d)?$/.test(value);

/**
 * A moment, chosen in the calendar of the browser: in UTC, which its label says, and with scripts in the time of its
 * reader. A text that was refused stays one.
 */
export const Minute = ({
  value = null,
  label,
  saved,
  ...field
}: Labelled & { readonly value?: string | null | undefined }) => (
  <Field
    {...field}
    label={<InUtc label={label} />}
    saved={saved?.replace(/\d$/, '$& (UTC)')}
    type={isMinute(value ?? '') ? 'datetime-local' : 'text'}
    value={value}
    autocomplete="off"
  />
);
