import { runInNewContext } from 'node:vm';
import type { HLJSApi, LanguageFn } from 'highlight.js';

/**
 * A text that takes longer is left plain. The grammars try again and again on some texts, so that a few
 * kilobytes may take minutes; as many colours of honest code take a tenth of a second.
 */
const LONGEST_MS = 3_000;
/** Spans within spans are opened again at each line: without a limit 100 kB could become gigabytes. */
const longestHtml = 5_000_000;
/** The language is guessed from this many leading characters. */
const detectedLimit = 4_000;
/** A guess below this score is noise: prose scores low in every language. */
const plausible = 6;

/** Every language of the chooser. The guess is made among the ones that are told apart reliably. */
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

/** A text in colours. */
export interface Coloured {
  /** One piece of escaped HTML a line, made of text and `<span class="hljs-…">` alone. */
  readonly lines: readonly string[];
  /** What it was coloured as. */
  readonly language: string;
}

let loaded: Promise<HLJSApi> | null = null;

/**
 * Colours a text, or answers null where it has no language. `language` is taken when it is one of `languages`;
 * otherwise it is guessed from the first 4,000 characters. It holds up the whole process, for seconds at most, and
 * throws when they were not enough: `highlight` has it done in a process of its own.
 */
export async function colour(text: string, language: string | null): Promise<Coloured | null> {
  loaded ??= load();
  const hljs = await loaded;
  // The one way to interrupt a regular expression. Whoever waits may be gone, and then nobody would end this process.
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

/** Cuts coloured HTML at line ends; a span that goes on is closed and opened again. */
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
