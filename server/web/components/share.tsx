import type { UrlSet } from '../records.js';
import { CopyField } from './parts.js';
import { Qr } from './qr.js';

/** The links of an item, the preferred one first, with a QR code. */
export function Share({
  urls,
  name,
  picture,
  direct = picture ? 'Image file' : 'Direct link',
}: {
  readonly urls: UrlSet;
  readonly name: string;
  readonly picture?: boolean;
  /** The label of the link to the content itself; null if that link works for nobody and is not offered. */
  readonly direct?: string | null;
}) {
  const preferred = urls.userPreference ?? urls.shortUrl;
  const link = direct === null && preferred === urls.rawUrl ? urls.shortUrl : preferred;
  const label = name.replace(/[[\]\\`*_<>]/g, ' ').trim();
  return (
    <div class="share">
      <div class="copies">
        <CopyField label="Link" value={link} />
        {link !== urls.webUrl && <CopyField label="Page" value={urls.webUrl} />}
        {direct !== null && link !== urls.rawUrl && <CopyField label={direct} value={urls.rawUrl} />}
        {picture && (
          <details class="more">
            <summary>For posts and forums</summary>
            <div class="copies">
              <CopyField label="Markdown" value={`![${label}](${urls.rawUrl})`} />
              <CopyField
                label="HTML"
                value={`<a href="${urls.webUrl}"><img src="${urls.rawUrl}" alt="${escapeAttribute(label)}"></a>`}
              />
              <CopyField label="BBCode" value={`[url=${urls.webUrl}][img]${urls.rawUrl}[/img][/url]`} />
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
