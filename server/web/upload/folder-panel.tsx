import { t } from '../../../routers/base/language/i18n.js';
import { RowActions } from '../components/item/queue-row.js';
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
      <RowActions
        site={site}
        actions={{
          start: t('Upload the folder'),
          open: t('Open the collection'),
          copy: t('Copy link'),
          'sign-in': t('Sign in'),
          pause: t('Pause'),
          resume: t('Continue'),
          retry: t('Try the missing ones again'),
          remove: t('Remove from this page'),
          cancel: t('Cancel'),
        }}
      />
    </section>
  );
}
