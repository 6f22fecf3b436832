import { t } from '../../../routers/base/language/i18n.js';
import { here, withQuery } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { CopyField } from '../components/parts.js';

/** Something sealed, as its page has it for the script that opens it. */
interface Props {
  /** The address of its page. */
  readonly page: string;
  /** The address of the age file, or the armored text itself. */
  readonly of: { readonly url: string; readonly password: string | null } | { readonly armor: string };
}

/** Where a browser opens what is sealed, if it has the key; without scripts the commands that do it elsewhere. */
export function SealedStage({ page, of }: Props) {
  const source =
    'url' in of ? withQuery(here(of.url), { password: of.password, download: 'true' }) : undefined;
  return (
    <section class="sealed">
      <SealedNotice />
      {'armor' in of && (
        <details class="more">
          <summary>{t('The sealed text')}</summary>
          <pre>{of.armor}</pre>
        </details>
      )}
      {source !== undefined && (
        <LinkButton href={source} icon="download" download>
          {t('Download sealed')}
        </LinkButton>
      )}
      <details class="more">
        <summary>{t('Open it without this page')}</summary>
        <div class="copies">
          <CopyField label={t('With Holdall')} value={`holdall get '${page}#AGE-SECRET-KEY-1…'`} />
          <CopyField
            label={t('With age')}
            value={
              'url' in of
                ? `curl -sSf '${of.url}' | age -d -i key.txt > file`
                : 'age -d -i key.txt sealed.age'
            }
          />
        </div>
      </details>
    </section>
  );
}

/** What is protected and what is not. */
export function SealedNotice() {
  return (
    <details class="notice">
      <summary>
        <Icon name="lock" />
        {t('Sealed: only who has the key can read it, not even this server.')}
      </summary>
      <p>
        {t(
          'Content and name were encrypted before they were sent. The server knows the size, the time and the account. A server that is changed to lie could send another script to this page; “holdall get” and “age” do not depend on it.',
        )}
      </p>
    </details>
  );
}
