import { runInNewContext } from 'node:vm';
import type { HLJSApi } from 'highlight.js';
import type MarkdownIt from 'markdown-it';
import type { PluginWithOptions } from 'markdown-it';
import { loadedOnce } from '../../shared/loaded-once.js';
import { loadHighlighter } from '../highlight/colour.js';

/** A text that takes longer is not rendered. */
const MAX_MS = 3_000;
/** What one text may become, in characters of HTML: references can repeat a long address many times. */
const MAX_HTML_LENGTH = 4_000_000;
/** Longer blocks of code stay plain. */
const MAX_CODE = 20_000;

type Rule = NonNullable<MarkdownIt['renderer']['rules'][string]>;

/** The HTML of a text; see `RenderMarkdown`. Blocks the process for up to a few seconds, and throws if it takes longer. */
export const renderMarkdown = (text: string): Promise<string> => rendering((parser) => parser.render(text));

/** The HTML that is made with a parser, within the same time. */
export async function rendering(make: (parser: MarkdownIt) => string): Promise<string> {
  const parser = await loadParser();
  // The only way to interrupt a regular expression.
  const html: string = runInNewContext('work()', { work: () => make(parser) }, { timeout: MAX_MS });
  if (html.length > MAX_HTML_LENGTH) throw new RangeError('the text becomes too long');
  return html;
}

/** Loaded for the first text. */
const loadParser = loadedOnce(async (): Promise<MarkdownIt> => {
  const [{ default: Parser }, hljs] = await Promise.all([import('markdown-it'), loadHighlighter()]);
  const { default: mathematics } = await import('@vscode/markdown-it-katex');
  // Raw HTML stays text, and addresses have one of a few schemes (`validateLink`).
  const parser = new Parser({
    html: false,
    linkify: true,
    highlight: (code, name) => coloured(hljs, code, name),
  });
  parser.validateLink = isLink;
  keepFootnotes(parser);
  // MathML, which browsers show by themselves; nothing in it loads, and macros have an end.
  // Its types are of another build of the same class.
  // Bundled, the module stands behind a second `default`.
  parser.use(('default' in mathematics ? mathematics.default : mathematics) as unknown as PluginWithOptions, {
    output: 'mathml',
    trust: false,
    maxExpand: 500,
    maxSize: 50,
    throwOnError: false,
  });
  const { rules } = parser.renderer;
  // The policy of our pages blocks styles in attributes.
  for (const [name, made] of Object.entries(rules))
    if (name.startsWith('math_'))
      rules[name] = (...given) => (made?.(...given) ?? '').replaceAll(/ style="[^"]*"/g, '');
  // The page has a title of its own.
  rules.heading_open = rules.heading_close = lowered;
  rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'nofollow noopener noreferrer ugc');
    return self.renderToken(tokens, index, options);
  };
  // A picture of another site would tell it who reads, and the policy of our pages would block it.
  rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const { escapeHtml } = parser.utils;
    const alt = token === undefined ? '' : self.renderInlineAsText(token.children ?? [], options, env);
    const address = escapeHtml(token?.attrGet('src') ?? '');
    return `<a href="${address}" rel="nofollow noopener noreferrer ugc">${escapeHtml(alt) || address}</a>`;
  };
  rules.table_open = () => '<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  return parser;
});

/** Footnotes stay paragraphs, as they are written: they would be taken for the targets of links, and disappear. */
function keepFootnotes(parser: MarkdownIt): void {
  const { ruler } = parser.block;
  const footnote: Parameters<typeof ruler.before>[2] = (state, line, end, silent) => {
    const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
    if (!FOOTNOTE.test(state.src.slice(start, state.eMarks[line]))) return false;
    // The last rule takes everything for a paragraph.
    return silent || ruler.getRules('').at(-1)?.(state, line, end, silent) === true;
  };
  ruler.before('reference', 'footnote', footnote, { alt: ['paragraph'] });
}

const FOOTNOTE = /^\[\^[^\]]+\]:/;

const lowered: Rule = (tokens, index, options, _env, self) => {
  const token = tokens[index];
  if (token !== undefined) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
  return self.renderToken(tokens, index, options);
};

/** Only what leads somewhere: no scripts, no data, no files. Addresses without a scheme stay on this server. */
const isLink = (address: string): boolean =>
  !/^[\s\p{Cc}]*[a-z][a-z0-9+.-]*:/iu.test(address) || /^\s*(?:https?|mailto|tel):/i.test(address);

/** Highlighted HTML of a block of code; "" leaves it plain. */
function coloured(hljs: HLJSApi, code: string, language: string): string {
  if (language === '' || code.length > MAX_CODE || hljs.getLanguage(language) === undefined) return '';
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
