import type { UrlSet } from '../records.js';
import { CopyField } from './parts.js';
import { Qr } from './qr.js';

/** The addresses of an item, the one to hand out first, and a code for a phone's camera. */
export function Share({
  urls,
  name,
  picture,
  direct = picture ? 'Picture itself' : 'Direct',
}: {
  readonly urls: UrlSet;
  readonly name: string;
  readonly picture?: boolean;
  /** What the address of the content itself is called; null where it answers nobody and is not handed out. */
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
      <Qr text={link} label="The link as a QR code" />
    </div>
  );
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
}
