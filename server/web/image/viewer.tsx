import type { ComponentChildren } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import { LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { count } from '../format.js';

/** The list that the reader of an item came from. */
export interface Around {
  /** The place of the item in its list. */
  readonly back: string;
  readonly label: string;
  readonly previous: string | null;
  readonly next: string | null;
  /** From 0. */
  readonly index: number;
  readonly total: number;
}

/** Something to look at, as large as the window allows, and a panel with what belongs to it. */
export function Viewer({
  around,
  stage,
  reads = false,
  children,
}: {
  readonly around: Around | null;
  readonly stage: ComponentChildren;
  /** What is on the stage is read, as a page, and not looked at. */
  readonly reads?: boolean;
  /** In the panel. */
  readonly children: ComponentChildren;
}) {
  return (
    <div class={reads ? 'viewer reads' : 'viewer'}>
      <div class="seen">
        {around && <WayAround around={around} />}
        {stage}
      </div>
      <div class="panel">{children}</div>
    </div>
  );
}

/** The way back to a list, and on to what is beside this item in it. */
function WayAround({ around: { back, label, previous, next, index, total } }: { readonly around: Around }) {
  return (
    <nav class="around" aria-label={label}>
      <LinkButton href={back} icon="left" look="quiet" rel="up">
        {label}
      </LinkButton>
      <span class="hint">{t('{index} of {total}', { index: count(index + 1), total: count(total) })}</span>
      <Beside href={previous} rel="prev" label={t('Previous')} />
      <Beside href={next} rel="next" label={t('Next')} />
    </nav>
  );
}

function Beside({
  href,
  rel,
  label,
}: {
  readonly href: string | null;
  readonly rel: 'prev' | 'next';
  readonly label: string;
}) {
  const icon = <Icon name={rel === 'prev' ? 'left' : 'right'} />;
  if (href === null) return <span class="button quiet off">{icon}</span>;
  return (
    <a class="button quiet" href={href} rel={rel} aria-label={label} title={label}>
      {icon}
    </a>
  );
}
