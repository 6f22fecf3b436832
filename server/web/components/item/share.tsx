import type { UrlSet } from '../../records.js';
import { CopyField } from '../parts.js';
import { Qr } from './qr.js';

/** The links of an item, the preferred one first, with a QR code. */
export function Share({
  urls,
  name,
  picture,
  direct = { label: 'Direct link', url: urls.rawUrl },
}: {
  readonly urls: UrlSet;
  readonly name: string;
  readonly picture?: boolean;
  /** The link to the content itself; null if it works for nobody and is not offered. */
  readonly direct?: { readonly label: string; readonly url: string } | null;
}) {
  const preferred = urls.userPreference ?? urls.shortUrl;
  const link = direct === null && preferred === urls.rawUrl ? urls.shortUrl : preferred;
  const label = name.replace(/[[\]\\`*_<>]/g, ' ').trim();
  return (
    <div class="share">
      <div class="copies">
        <CopyField label="Link" value={link} />
        {link !== urls.webUrl && <CopyField label="Page" value={urls.webUrl} />}
        {direct !== null && link !== direct.url && <CopyField label={direct.label} value={direct.url} />}
        {picture && direct !== null && (
          <details class="more">
            <summary>For posts and forums</summary>
            <div class="copies">
              <CopyField label="Markdown" value={`![${label}](${direct.url})`} />
              <CopyField
                label="HTML"
                value={`<a href="${urls.webUrl}"><img src="${direct.url}" alt="${escapeAttribute(label)}"></a>`}
              />
              <CopyField label="BBCode" value={`[url=${urls.webUrl}][img]${direct.url}[/img][/url]`} />
            </div>
          </details>
        )}
      </div>
      <Qr text={link} label="QR code of the link" />
    </div>
  );
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
}
