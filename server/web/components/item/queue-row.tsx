import type { ComponentChildren } from 'preact';
import type { RowAction } from '../../../../client/browser/attributes.js';
import { t } from '../../../../routers/base/language/i18n.js';
import { signInPath } from '../../address.js';
import type { PageProps } from '../../page-props.js';
import { Icon, type IconName } from '../icon.js';

const ICONS: Readonly<Partial<Record<RowAction, IconName>>> = {
  start: 'upload',
  copy: 'copy',
  pause: 'pause',
  resume: 'upload',
  retry: 'refresh',
  remove: 'trash',
  'take-back': 'trash',
  cancel: 'x',
};

/** What can be done with a file or folder that is being sent, with the words for it; a script shows what applies. */
export function RowActions({
  site,
  actions,
}: PageProps<{ readonly actions: Readonly<Partial<Record<RowAction, string>>> }>) {
  return (
    <span class="actions">
      {(Object.entries(actions) as [RowAction, string][]).map(([action, label]) => {
        const icon = ICONS[action];
        const marked = { [`data-${action}`]: '' };
        if (action === 'sign-in')
          return (
            <a class="button quiet" href={signInPath(site)} target="_blank" rel="noopener" {...marked} hidden>
              {label}
            </a>
          );
        return action === 'open' || action === 'change' ? (
          <a class="button quiet" href="/web/library" {...marked} hidden>
            {label}
          </a>
        ) : (
          <button
            type="button"
            class={action === 'start' ? 'button primary' : 'button quiet'}
            {...marked}
            hidden
          >
            {icon && <Icon name={icon} />}
            {label}
          </button>
        );
      })}
    </span>
  );
}

/** The template that the script of a queue clones for each file. */
export function QueueRow({
  children,
  ...row
}: Parameters<typeof RowActions>[0] & { readonly children?: ComponentChildren }) {
  return (
    <template id="queue-row">
      <li>
        <span class="thumb" data-thumb>
          <Icon name="file" />
        </span>
        <div>
          <p class="name" dir="auto" data-name />
          <p class="state" data-state />
          {children}
          <progress data-progress max="1" value="0" aria-label={t('Progress')} />
        </div>
        <RowActions {...row} />
      </li>
    </template>
  );
}
