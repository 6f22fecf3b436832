import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { Icon } from '../components/icon.js';
import { Card, Facts } from '../components/parts.js';
import { count, fileSize, moment } from '../format.js';
import type { OwnLimits } from '../records.js';

/** What tells how much of each limit is used. */
type Counted = Pick<OwnLimits, 'effective' | 'usage'>;

type Type = keyof OwnLimits['effective'];
type Field = keyof OwnLimits['effective']['TOTAL'];

/** What is limited, in the words of the pages. */
export const TYPE_WORDS: Readonly<Record<Type, Message>> = {
  TOTAL: msg('All together'),
  IMAGE: msg('Files'),
  FILE: msg('Files of packs'),
  PASTE: msg('Pastes'),
  URL: msg('Links'),
  TEMP_MAIL: msg('Mailboxes'),
};

const SPANS: readonly (readonly [span: Message, counted: Field | null, sized: Field])[] = [
  [msg('{what} today'), 'dailyCount', 'dailyBytes'],
  [msg('{what} this week'), 'weeklyCount', 'weeklyBytes'],
  [msg('{what} kept'), null, 'storageBytes'],
];

/** For each span in which something of these types is limited, what is left. */
function rowsOf({ effective, usage }: Counted, types: readonly Type[]) {
  return types.flatMap((type) =>
    SPANS.flatMap(([span, counted, sized]) => {
      const limits: Readonly<Partial<Record<Field, number | null>>> = effective[type];
      const used: Readonly<Partial<Record<Field, number>>> = usage[type];
      const left = (field: Field | null, written: (value: number) => string): string[] => {
        const limit = field === null ? null : (limits[field] ?? null);
        if (field === null || limit === null) return [];
        return [
          t('{max} of {limit} left', {
            max: written(Math.max(0, limit - (used[field] ?? 0))),
            limit: written(limit),
          }),
        ];
      };
      const all = [...left(counted, count), ...left(sized, fileSize)];
      return all.length === 0
        ? []
        : [[translateMessage(span, { what: translateMessage(TYPE_WORDS[type]) }), all.join(' · ')] as const];
    }),
  );
}

/** Says that the account is paused; nothing otherwise. */
export function PauseNotice({ limits }: { readonly limits: OwnLimits }) {
  if (!limits.paused) return null;
  return (
    <p class="notice">
      <Icon name="lock" />
      <span>
        {limits.pausedUntil === null
          ? t('Your account is paused. You can see everything, but cannot create, change or delete anything.')
          : t(
              'Your account is paused until {time}. You can see everything, but cannot create, change or delete anything.',
              { time: moment(limits.pausedUntil) },
            )}
      </span>
    </p>
  );
}

/** What is left for the account, of these types or of all; nothing without limits. */
export function LimitsLeft({
  limits,
  types = Object.keys(TYPE_WORDS) as Type[],
  title = t('What is left for you'),
}: {
  readonly limits: Counted;
  readonly types?: readonly Type[];
  readonly title?: string;
}) {
  const rows = rowsOf(limits, types);
  if (rows.length === 0) return null;
  return (
    <Card title={title} hint={t('Days end at midnight UTC, weeks on Sunday.')}>
      <Facts of={rows} />
    </Card>
  );
}
