import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { Language } from '../../../../routers/base/language/languages.js';
import type { MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';

/** A block of a mail, in reading order, in both of its forms. */
interface Block {
  readonly text: string;
  readonly html: string;
}

/** A paragraph; something to type or copy; something to click, of which the text part shows the full address. */
export const say = (text: string): Block => ({
  text: wrap(text),
  html: `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`,
});
export const code = (code: string): Block => ({
  text: `    ${code}`,
  html: `<p class="code" style="${CODE}">${escapeHtml(code)}</p>`,
});
export const link = (label: string, url: string): Block => ({
  text: `${label}:\n${url}`,
  html: `<p style="margin:0 0 16px"><a href="${escapeHtml(url)}" style="${BUTTON}">${escapeHtml(label)}</a></p>`,
});

/** The first names of a list, each on a line, and how many more there are. */
export const list = (lines: readonly string[], more: number, { t }: I18n): Block =>
  say([...lines, ...(more > 0 ? [t('and {more} more', { more })] : [])].join('\n'));

/** Below the footer: where mails like this one end. */
export interface Ending {
  readonly label: string;
  readonly url: string;
}

/**
 * Renders blocks as plain text and as HTML that loads no external pictures or style sheets and follows the reader's
 * light or dark mode. Everything is escaped; `footer` says why the mail was sent.
 */
export function layOut(
  { language }: I18n,
  subject: string,
  blocks: readonly Block[],
  footer: string,
  ending: Ending | null = null,
): MailContent {
  const end = ending === null ? '' : `\n${ending.label}:\n${ending.url}`;
  const text = [...blocks.map((block) => block.text), `-- \n${wrap(footer)}${end}`].join('\n\n');
  return {
    subject: oneLine(subject),
    text: `${text}\n`,
    html: page(language, subject, blocks, footer, ending),
  };
}

/** As `layOut`, for a mail that greets its reader. */
export const greet = (
  username: string,
  i18n: I18n,
  subject: string,
  blocks: readonly Block[],
  footer: string,
  ending: Ending | null = null,
): MailContent =>
  layOut(i18n, subject, [say(i18n.t('Hello {username},', { username })), ...blocks], footer, ending);

/** Escapes text for HTML, including attributes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A subject must not contain line breaks, whatever the data is. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Width of lines in the text part; longer ones would be sent encoded. */
const LINE = 72;

/** Breaks lines between words; a word longer than a line gets its own line. */
const wrap = (text: string): string => text.split('\n').map(wrapLine).join('\n');

function wrapLine(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= LINE || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join('\n');
}

const FONT = '-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const CODE =
  'margin:0 0 16px;padding:12px;border-radius:8px;background:#f1f3f5;font:700 28px/1.2 monospace;letter-spacing:6px;text-align:center';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none';
const DARK =
  '@media (prefers-color-scheme:dark){body,.card{background:#16181d!important;color:#e6e8eb!important}.code{background:#262a31!important}.note{color:#9aa3ad!important}}';

function page(
  language: Language,
  subject: string,
  blocks: readonly Block[],
  footer: string,
  ending: Ending | null,
): string {
  const end = ending === null ? '' : ` <a href="${escapeHtml(ending.url)}">${escapeHtml(ending.label)}</a>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${DARK}</style></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1b1f24;font:16px/1.5 ${FONT}">
<div class="card" style="max-width:480px;margin:0 auto">
${blocks.map(({ html }) => html).join('\n')}
<p class="note" style="margin:24px 0 0;font-size:13px;color:#5b6570">${escapeHtml(footer)}${end}</p>
</div></body></html>
`;
}
