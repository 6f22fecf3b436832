import { KIND_NAMES, type Plural } from '../../../routers/base/kinds.js';
import { t } from '../../../routers/base/language/i18n.js';
import { ItemFigures } from '../components/item/item-figures.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Facts, Figure, Time } from '../components/parts.js';
import { count, fileSize } from '../format.js';
import type { PageProps } from '../page-props.js';

/** A component that the process depends on. */
export interface Part {
  readonly name: string;
  readonly ok: boolean;
  /** A warning about a component that works, but not as users may expect. */
  readonly but?: string;
  readonly detail: string;
}

/** State of the process and its components. */
interface Health {
  readonly version: string;
  readonly startedAt: string;
  /** Memory in use, in bytes. */
  readonly memory: number;
  readonly lastBackupAt: string | null;
  readonly parts: readonly Part[];
  readonly totals: Readonly<Record<Plural | 'users' | 'storageUsed', number>>;
}

/** The state of the system. */
export function SystemPage({ site, health }: PageProps<{ readonly health: Health }>) {
  return (
    <Page site={site} title={t('System')}>
      <Heading title={t('System')} />
      <div class="figures">
        <Figure label={t('People')} value={count(health.totals.users)} />
        <ItemFigures of={(kind) => health.totals[KIND_NAMES[kind].plural]} />
        <Figure label={t('Storage')} value={fileSize(health.totals.storageUsed)} />
      </div>
      <div class="columns uneven">
        <Card title={t('Components')}>
          <ul class="rows">
            {health.parts.map((part) => (
              <li key={part.name}>
                <span class="what">
                  {part.name}
                  <br />
                  <span class="hint">{part.detail}</span>
                </span>
                <PartBadge part={part} />
              </li>
            ))}
          </ul>
        </Card>
        <Card title={t('Process')}>
          <Facts
            of={[
              [t('Version'), health.version],
              [t('Started'), <Time key="started" at={health.startedAt} />],
              [t('Memory'), fileSize(health.memory)],
              [
                t('Last backup'),
                health.lastBackupAt === null ? t('Never') : <Time key="backup" at={health.lastBackupAt} />,
              ],
            ]}
          />
        </Card>
      </div>
    </Page>
  );
}

function PartBadge({ part: { ok, but } }: { readonly part: Part }) {
  if (!ok) {
    return (
      <Badge look="bad" icon="warning">
        {t('failing')}
      </Badge>
    );
  }
  return (
    <Badge look={but ? 'warn' : 'good'} icon={but ? 'warning' : 'check'}>
      {but ?? t('ok')}
    </Badge>
  );
}
