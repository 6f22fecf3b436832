import { t } from '../../../../routers/base/language/i18n.js';
import type { UrlSet } from '../../records.js';
import { CopyButton } from '../button.js';
import { Icon } from '../icon.js';
import { CopyField } from '../parts.js';
import { Qr } from './qr.js';

/** The link that its owner prefers; `direct` if the link to the content itself works. */
export function sharedLink(urls: UrlSet, direct: boolean): string {
  const preferred = urls.userPreference ?? urls.shortUrl;
  return !direct && preferred === urls.rawUrl ? urls.shortUrl : preferred;
}

/** The links of an item, the preferred one first, with a QR code. */
export function Share({
  urls,
  name,
  picture,
  direct = { label: t('Direct link'), url: urls.rawUrl },
  above = false,
}: {
  readonly urls: UrlSet;
  readonly name: string;
  readonly picture?: boolean;
  /** The link to the content itself; null if it works for nobody and is not offered. */
  readonly direct?: { readonly label: string; readonly url: string } | null;
  /** The button for the first link is at the top of the page; the link itself is in sight here. */
  readonly above?: boolean;
}) {
  const link = sharedLink(urls, direct !== null);
  const label = name.replace(/[[\]\\`*_<>]/g, ' ').trim();
  return (
    <div class="share">
      {above ? (
        <CopyField label={t('Link')} value={link} />
      ) : (
        <CopyButton text={link} look="primary">
          {t('Copy link')}
        </CopyButton>
      )}
      <button type="button" class="button plain" data-share={link} data-title={name} hidden>
        <Icon name="external" />
        {t('Share with an app')}
      </button>
      <details class="more">
        <summary>{t('All links and QR code')}</summary>
        <div class="copies">
          {!above && <CopyField label={t('Link')} value={link} />}
          {link !== urls.webUrl && <CopyField label={t('Page')} value={urls.webUrl} />}
          {direct !== null && link !== direct.url && <CopyField label={direct.label} value={direct.url} />}
          {picture && direct !== null && (
            <>
              <CopyField label={t('Markdown')} value={`![${label}](${direct.url})`} />
              <CopyField
                label="HTML"
                value={`<a href="${urls.webUrl}"><img src="${direct.url}" alt="${escapeAttribute(label)}"></a>`}
              />
              <CopyField label="BBCode" value={`[url=${urls.webUrl}][img]${direct.url}[/img][/url]`} />
            </>
          )}
          <Qr text={link} label={t('QR code of the link')} />
        </div>
      </details>
    </div>
  );
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
}
