import { t } from '../../../routers/base/language/i18n.js';
import { signInPath } from '../address.js';
import { Icon } from '../components/icon.js';
import type { PageProps } from '../page-props.js';

/** A template that the upload script clones for each folder, which becomes a collection. */
export function FolderPanel({ site }: PageProps) {
  return (
    <section class="card folder">
      <h2 dir="auto" data-title>
        {t('Folder')}
      </h2>
      <p class="state" data-state role="status" />
      <progress data-progress max="1" value="0" aria-label={t('Progress of the folder')} />
      <p class="hint" data-detail />
      <label class="check" data-again hidden>
        <input type="checkbox" /> {t('Upload what you have already once more, and copies, too')}
      </label>
      <details data-not-sent hidden>
        <summary />
        <ul />
      </details>
      <details data-failed open hidden>
        <summary />
        <ul />
      </details>
      <span class="actions">
        <button type="button" class="button primary" data-start hidden>
          <Icon name="upload" />
          {t('Upload the folder')}
        </button>
        <a class="button plain" href="/web/collections" data-open hidden>
          {t('Open the collection')}
        </a>
        <button type="button" class="button quiet" data-copy="" hidden>
          <Icon name="copy" />
          {t('Copy link')}
        </button>
        <a class="button quiet" href={signInPath(site)} target="_blank" data-sign-in hidden rel="noopener">
          {t('Sign in')}
        </a>
        <button type="button" class="button quiet" data-pause hidden>
          <Icon name="pause" />
          {t('Pause')}
        </button>
        <button type="button" class="button quiet" data-resume hidden>
          <Icon name="upload" />
          {t('Continue')}
        </button>
        <button type="button" class="button quiet" data-retry hidden>
          <Icon name="refresh" />
          {t('Try the missing ones again')}
        </button>
        <button type="button" class="button quiet" data-remove hidden>
          <Icon name="trash" />
          {t('Remove from this page')}
        </button>
        <button type="button" class="button quiet" data-cancel hidden>
          <Icon name="x" />
          {t('Cancel')}
        </button>
      </span>
    </section>
  );
}
