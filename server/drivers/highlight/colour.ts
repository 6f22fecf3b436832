import { runInNewContext } from 'node:vm';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { LANGUAGES } from '../../../routers/base/ports/highlight.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { isWritten, languageByForm, languageByName } from './language.js';

/**
 * A text that takes longer stays plain. On some texts the grammars backtrack so much that a few kilobytes take
 * minutes; normal code of that size takes a tenth of a second.
 */
const MAX_MS = 3_000;
/** Nested spans are reopened on each line: without a limit, 100 kB could become gigabytes. */
const MAX_HTML_LENGTH = 5_000_000;
/** The language is detected from this many leading characters. */
const MAX_DETECTED_LENGTH = 4_000;
/** A score below this is noise. */
const MIN_SCORE = 6;
/** A score grows with the length of any text: that of prose by up to 20 for each 1,000 characters, of code by 27. */
const MIN_SCORE_PER_1000 = 24;
/** What users enter to have the language detected. */
const UNDECIDED = ['', 'auto', 'detect', 'autodetect'];

const GUESSED = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'diff',
  'dockerfile',
  'go',
  'ini',
  'java',
  'javascript',
  'json',
  'kotlin',
  'lua',
  'markdown',
  'nginx',
  'php',
  'python',
  'ruby',
  'rust',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
];

/** A highlighted text. */
export interface Coloured {
  /** Escaped HTML for each line: only text and `<span class="hljs-…">`. */
  readonly lines: readonly string[];
  /** The language it was highlighted as. */
  readonly language: string;
}

/**
 * Highlights a text; null if it has no language. A `language` that was given is used, or the text stays plain if there
 * is no grammar for it; without one the name of the file decides, then the form of the text, and then it is guessed from
 * the first 4,000 characters. Blocks the process for up to a few seconds, and throws if it takes
 * longer: `highlight` runs it in a separate process.
 */
export async function colour(
  text: string,
  language: string | null,
  name: string | null = null,
): Promise<Coloured | null> {
  const hljs = await loadHighlighter();
  // The only way to interrupt a regular expression. If the server is gone, nobody else would stop this process.
  return runInNewContext(
    'work()',
    { work: () => colourWith(hljs, text, language, name) },
    { timeout: MAX_MS },
  );
}

function colourWith(
  hljs: HLJSApi,
  text: string,
  language: string | null,
  name: string | null,
): Coloured | null {
  const wanted = language?.trim().toLowerCase() ?? '';
  const chosen = UNDECIDED.includes(wanted)
    ? (languageByName(name ?? '') ?? languageByForm(text) ?? guess(hljs, text))
    : grammarOf(hljs, wanted);
  if (chosen === null || chosen === 'plaintext') return null;
  const { value } = hljs.highlight(text, { language: chosen, ignoreIllegals: true });
  return { lines: splitLines(value), language: chosen };
}

/** The grammars, loaded for the first text. */
export const loadHighlighter = loadedOnce(async (): Promise<HLJSApi> => {
  const { default: hljs } = await import('highlight.js/lib/core');
  await Promise.all(
    LANGUAGES.map(async (name) => {
      const grammar = (await import(`highlight.js/lib/languages/${name}`)) as { default: LanguageFn };
      hljs.registerLanguage(name, grammar.default);
    }),
  );
  return hljs;
});

/** By the name or alias of a grammar, or the extension of its files. */
function grammarOf(hljs: HLJSApi, wanted: string): string | null {
  const named = languageByName(wanted);
  return named !== 'plaintext' && hljs.getLanguage(wanted) ? wanted : named;
}

function guess(hljs: HLJSApi, text: string): string | null {
  const beginning = text.slice(0, MAX_DETECTED_LENGTH);
  const { relevance, language = null } = hljs.highlightAuto(beginning, GUESSED);
  const enough = Math.max(MIN_SCORE, (MIN_SCORE_PER_1000 * beginning.length) / 1_000);
  return language !== null && relevance >= enough && isWritten(language, beginning) ? language : null;
}

/** Splits highlighted HTML into lines; a span across lines is closed and reopened. */
function splitLines(html: string): string[] {
  const open: string[] = [];
  let length = 0;
  return html.split(/\r\n|\r|\n/).map((line) => {
    const before = open.join('');
    length += before.length + line.length;
    if (length > MAX_HTML_LENGTH) throw new RangeError('the text becomes too long in colours');
    for (const [tag] of line.matchAll(/<span[^<>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return before + line + '</span>'.repeat(open.length);
  });
}
