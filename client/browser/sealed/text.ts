/**
 * Texts as pages show those of pastes: code in its colours with line numbers, Markdown as it is read. Loaded for what is
 * sealed alone, because the server does this for everything else. Built of elements, never of HTML.
 */
import hljs from 'highlight.js/lib/common';
import MarkdownIt, { type Token } from 'markdown-it';
import { endingOf } from './media.js';

/** Longer ones stay plain. */
const MAX_COLOURED = 100_000;
/** Characters that change the order in which a line is shown, or that show nothing. */
const UNSEEN = /([\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff])/g;

/** The element that shows a text. */
export function textElement(
  text: string,
  { language, name }: { readonly language?: string; readonly name?: string },
  label: string,
): HTMLElement {
  const form = language?.toLowerCase() || endingOf(name);
  if (['md', 'markdown', 'mdown', 'mkd'].includes(form)) return markdownElement(text);
  if (form === 'mermaid' || form === 'mmd')
    return proseElement((prose) => prose.append(blockOf(text, 'mermaid')));
  const section = made('section', 'code');
  section.id = 'code';
  section.tabIndex = 0;
  section.setAttribute('aria-label', label);
  const code = made('code');
  const lines = linesOf(text.replace(/\r?\n$/, ''), form);
  lines.forEach((line, index) => {
    const row = made('span', 'line');
    const number = made('a');
    number.dataset.line = String(index + 1);
    line.append('\n');
    row.append(number, line);
    code.append(row);
  });
  const pre = made('pre');
  pre.append(code);
  section.append(pre);
  return section;
}

/** Each line of a text, in the colours of its language if it is known. */
function linesOf(text: string, language: string): HTMLElement[] {
  const isKnown = text.length <= MAX_COLOURED && hljs.getLanguage(language) !== undefined;
  if (!isKnown) return text.split(/\r\n|\r|\n/).map((line) => appendSafely(made('span'), line));
  const lines: HTMLElement[] = [];
  // What is open where a line ends is opened again in the next one.
  let open: string[] = [];
  let at = made('span');
  lines.push(at);
  const nest = (name: string): void => {
    const inner = made('span', name);
    at.append(inner);
    at = inner;
  };
  for (const part of partsOf(hljs.highlight(text, { language, ignoreIllegals: true }).value)) {
    if ('opens' in part) {
      open.push(part.opens);
      nest(part.opens);
    } else if ('closes' in part) {
      open = open.slice(0, -1);
      at = at.parentElement ?? at;
    } else
      part.text.split(/\r\n|\r|\n/).forEach((piece, index) => {
        if (index > 0) {
          at = made('span');
          lines.push(at);
          open.forEach(nest);
        }
        appendSafely(at, piece);
      });
  }
  return lines;
}

type Part = { readonly opens: string } | { readonly closes: true } | { readonly text: string };

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The parts of what the highlighter writes: spans with a class, and escaped text. */
const partsOf = (html: string): Part[] =>
  Array.from(html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g), ([, opens, closes, text = '']) =>
    opens !== undefined
      ? { opens }
      : closes !== undefined
        ? { closes: true }
        : { text: text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '') },
  );

/** Unseen characters are shown by name, and lose their effect. */
function appendSafely(place: HTMLElement, text: string): HTMLElement {
  text.split(UNSEEN).forEach((piece, index) => {
    const isUnseen = index % 2 === 1;
    const sign = made('span', 'codepoint');
    if (isUnseen) sign.dataset.name = `U+${piece.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    sign.append(piece);
    place.append(isUnseen ? sign : piece);
  });
  return place;
}

function markdownElement(text: string): HTMLElement {
  const parser = new MarkdownIt({ html: false, linkify: true });
  parser.validateLink = isLink;
  return proseElement((prose) => build(parser.parse(text, {}), prose));
}

function proseElement(fill: (prose: HTMLElement) => void): HTMLElement {
  const card = made('section', 'card');
  const prose = made('div', 'prose');
  prose.dir = 'auto';
  fill(prose);
  card.append(prose);
  return card;
}

const isLink = (address: string): boolean => /^\s*(?:https?|mailto|tel):/i.test(address);

/** Builds elements of tokens. Pictures become links: those of another site would tell it who reads. */
function build(tokens: readonly Token[], place: HTMLElement): void {
  const open = [place];
  for (const token of tokens) {
    const at = open.at(-1) ?? place;
    if (token.type === 'inline') build(token.children ?? [], at);
    else if (token.nesting === -1) open.pop();
    else if (token.nesting === 1) {
      // The page has a title of its own.
      const element = token.hidden
        ? at
        : made(token.tag.replace(/^h([1-5])$/, (_, n) => `h${Number(n) + 1}`));
      if (element instanceof HTMLAnchorElement) aim(element, token.attrGet('href'));
      if (!token.hidden) at.append(element);
      open.push(element);
    } else at.append(leafOf(token));
  }
}

function leafOf(token: Token): string | HTMLElement {
  if (token.tag === 'img') {
    const link = aim(made('a'), token.attrGet('src'));
    link.append(token.content || link.href);
    return link;
  }
  switch (token.type) {
    case 'code_inline':
      return appendSafely(made('code'), token.content);
    case 'fence':
    case 'code_block':
      return blockOf(token.content, token.info.split(/\s/)[0] ?? '');
    case 'hr':
      return made('hr');
    case 'hardbreak':
      return made('br');
    case 'softbreak':
      return '\n';
    default:
      return token.content;
  }
}

/** A block of code; that of a diagram has the class by which it is drawn. */
function blockOf(text: string, language: string): HTMLElement {
  const code = made('code', language === 'mermaid' ? 'language-mermaid' : '');
  for (const line of linesOf(text, language)) code.append(line, '\n');
  const pre = made('pre');
  pre.append(code);
  return pre;
}

function aim(link: HTMLAnchorElement, address: string | null): HTMLAnchorElement {
  if (address !== null) link.href = address;
  link.relList.add('nofollow', 'noopener', 'noreferrer', 'ugc');
  return link;
}

function made<T extends string>(tag: T, className = '') {
  const element = document.createElement(tag) as T extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[T]
    : HTMLElement;
  if (className !== '') element.className = className;
  return element;
}
