import { runInNewContext } from 'node:vm';
import type { HLJSApi, LanguageFn } from 'highlight.js';

/**
 * A text that takes longer stays plain. On some texts the grammars backtrack so much that a few kilobytes take
 * minutes; normal code of that size takes a tenth of a second.
 */
const LONGEST_MS = 3_000;
/** Nested spans are reopened on each line: without a limit, 100 kB could become gigabytes. */
const longestHtml = 5_000_000;
/** The language is detected from this many leading characters. */
const detectedLimit = 4_000;
/** Scores below this are noise: prose scores low in every language. */
const plausible = 6;

/** The languages that users can choose. Detection only considers those that it can tell apart reliably. */
export const languages = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'diff',
  'dockerfile',
  'go',
  'graphql',
  'ini',
  'java',
  'javascript',
  'json',
  'kotlin',
  'lua',
  'makefile',
  'markdown',
  'nginx',
  'php',
  'plaintext',
  'powershell',
  'python',
  'ruby',
  'rust',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
] as const;

const guessed = [
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

let loaded: Promise<HLJSApi> | null = null;

/**
 * Highlights a text; null if it has no language. `language` is used if it is one of `languages`; otherwise it is
 * detected from the first 4,000 characters. Blocks the process for up to a few seconds, and throws if it takes
 * longer: `highlight` runs it in a separate process.
 */
export async function colour(text: string, language: string | null): Promise<Coloured | null> {
  loaded ??= load();
  const hljs = await loaded;
  // The only way to interrupt a regular expression. If the server is gone, nobody else would stop this process.
  return runInNewContext('work()', { work: () => colourWith(hljs, text, language) }, { timeout: LONGEST_MS });
}

function colourWith(hljs: HLJSApi, text: string, language: string | null): Coloured | null {
  const wanted = language?.toLowerCase() ?? '';
  const chosen = hljs.getLanguage(wanted) ? wanted : guess(hljs, text);
  if (chosen === null || chosen === 'plaintext') return null;
  const { value } = hljs.highlight(text, { language: chosen, ignoreIllegals: true });
  return { lines: splitLines(value), language: chosen };
}

/** Loaded for the first text. */
async function load(): Promise<HLJSApi> {
  const { default: hljs } = await import('highlight.js/lib/core');
  await Promise.all(
    languages.map(async (name) => {
      const grammar = (await import(`highlight.js/lib/languages/${name}`)) as { default: LanguageFn };
      hljs.registerLanguage(name, grammar.default);
    }),
  );
  return hljs;
}

function guess(hljs: HLJSApi, text: string): string | null {
  const result = hljs.highlightAuto(text.slice(0, detectedLimit), guessed);
  return result.relevance >= plausible ? (result.language ?? null) : null;
}

/** Splits highlighted HTML into lines; a span across lines is closed and reopened. */
function splitLines(html: string): string[] {
  const open: string[] = [];
  let length = 0;
  return html.split(/\r\n|\r|\n/).map((line) => {
    const before = open.join('');
    length += before.length + line.length;
    if (length > longestHtml) throw new RangeError('the text becomes too long in colours');
    for (const [tag] of line.matchAll(/<span[^<>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return before + line + '</span>'.repeat(open.length);
  });
}
