import { t } from '../../../routers/base/language/i18n.js';
import { here, withQuery } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { CopyField } from '../components/parts.js';

/** Something sealed, as its page has it for the script that opens it. */
interface Props {
  /** The address of its page. */
  readonly page: string;
  readonly item: {
    readonly uniqueId: string;
    readonly sealedName: string | null;
    readonly size?: number | null;
  };
  /** The address of the age file; or the armored text itself, with its address if it can be read again. */
  readonly of:
    | { readonly url: string; readonly password: string | null }
    | { readonly url: string | null; readonly armor: string };
  /** The links around it lead to what the same key opens. */
  readonly carries?: boolean;
}

/** Where a browser opens what is sealed, if it has the key; without scripts the commands that do it elsewhere. */
export function SealedStage({ page, item, of, carries }: Props) {
  const source =
    'armor' in of ? undefined : withQuery(here(of.url), { password: of.password, download: 'true' });
  return (
    <section
      class="sealed"
      data-sealed
      data-id={item.uniqueId}
      data-sealed-name={item.sealedName ?? undefined}
      data-size={'armor' in of ? of.armor.length : item.size}
      data-source={source}
      data-carries={carries}
    >
      <SealedNotice />
      <SealedAsk />
      <p class="hint" data-described dir="auto" />
      <div data-shown />
      <div class="actions" data-opened hidden>
        <button type="button" class="button primary" data-download>
          <Icon name="download" />
          {t('Download')}
        </button>
        <button type="button" class="button plain" data-copy-text data-copy-of="code" hidden>
          <Icon name="copy" />
          {t('Copy text')}
        </button>
        <SealedCopies page={page} />
      </div>
      {'armor' in of && (
        <details class="more">
          <summary>{t('The sealed text')}</summary>
          <pre data-armor>{of.armor}</pre>
        </details>
      )}
      {source !== undefined && (
        <LinkButton href={source} icon="download" look="quiet" download>
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
              of.url === null
                ? 'age -d -i key.txt sealed.age'
                : `curl -sSf '${of.url}' | age -d -i key.txt > file`
            }
          />
        </div>
      </details>
    </section>
  );
}

/** The link of something sealed, once it is opened: with the key, if it can be in a link, and without. */
export function SealedCopies({ page }: { readonly page: string }) {
  return (
    <>
      <button type="button" class="button plain" data-with-key data-link={page} data-copy="" hidden>
        <Icon name="key" />
        {t('Copy link with key')}
      </button>
      <CopyButton text={page}>{t('Copy link without key')}</CopyButton>
    </>
  );
}

/** Asks for the key, if it is not in the address, and says how far its opening is. Its field has no name: it is never sent. */
export function SealedAsk() {
  return (
    <>
      <form class="form scripted" data-ask hidden>
        <div class="field">
          <label for="seal-key">{t('Key or passphrase')}</label>
          <input id="seal-key" type="password" autocomplete="off" spellcheck={false} required />
        </div>
        <div class="actions">
          <button type="submit" class="button primary">
            <Icon name="key" />
            {t('Open')}
          </button>
        </div>
      </form>
      <p class="hint" role="status" data-state />
      <progress data-progress max="1" value="0" aria-label={t('Progress')} hidden />
      <p class="problem" role="alert" data-problem hidden>
        <Icon name="warning" />
        <span />
      </p>
    </>
  );
}

/** What is protected and what is not. */
export function SealedNotice() {
  return (
    <div class="notice">
      <details class="more">
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
    </div>
  );
}
