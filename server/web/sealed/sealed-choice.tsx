import type { Fields } from '../../../rest-adapter/fields.js';
import { fail } from '../../../routers/base/errors.js';
import { t } from '../../../routers/base/language/i18n.js';
import { CopyButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import type { PageRequest } from '../request.js';

/** The public key that the account of the viewer keeps; null without one. */
export async function ownRecipient({ site, call }: PageRequest): Promise<string | null> {
  return site.viewer === null ? null : ((await call.user.keptSeal())?.recipient ?? null);
}

/**
 * Whether and how a script seals what the form sends. The fields of secrets have no name: no browser sends them. The
 * choice has one, so that a form which a browser sends without sealing it is refused.
 */
export function SealChoice({ own }: { readonly own: string | null }) {
  return (
    <div class="form scripted">
      <div class="field">
        <label for="seal">{t('Seal')}</label>
        <select id="seal" name="seal" data-own={own ?? undefined} aria-describedby="seal-hint">
          <option value="">{t('Not sealed')}</option>
          <option value="key">{t('With a new key, which the link has')}</option>
          <option value="passphrase">{t('With a passphrase')}</option>
          <option value="to">{t('For the owners of public keys')}</option>
          {own && <option value="own">{t('To myself')}</option>}
        </select>
        <p class="hint" id="seal-hint">
          {t('Encrypted in this browser, name included, so that not even this server can read it.')}
        </p>
      </div>
      <div class="field" data-seal-part="passphrase" hidden>
        <label for="seal-passphrase">{t('Passphrase')}</label>
        <input id="seal-passphrase" type="password" autocomplete="new-password" minLength={8} />
        <p class="hint">{t('Four random words or more. If it is lost, so is the content.')}</p>
      </div>
      <div class="field" data-seal-part="to" hidden>
        <label for="seal-to">{t('Public keys')}</label>
        <input id="seal-to" spellcheck={false} autocomplete="off" placeholder="age1…" />
      </div>
      <p class="problem" role="alert" data-problem hidden>
        <Icon name="warning" />
        <span />
      </p>
    </div>
  );
}

/** Refuses a form that was to be sealed, and came without having been: its script did not run. */
export function refuseUnsealed(body: Fields): void {
  if (body.text('seal')) fail('INVALID', 'This browser did not seal it, so nothing was kept');
}

/** Where a script shows the link of what it has sealed: the key is in it, and nowhere else. */
export function SealedMade() {
  return (
    <div class="notice done" role="status" data-sealed-made hidden>
      <Icon name="check" />
      <p>
        {t('Sealed. If a key was made for it, it is in this link and nowhere else.')}{' '}
        <a href="/" dir="ltr">
          {t('Open')}
        </a>
      </p>
      <CopyButton text="" look="primary">
        {t('Copy link')}
      </CopyButton>
    </div>
  );
}
