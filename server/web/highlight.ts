import type { HLJSApi, LanguageFn } from 'highlight.js';

/** Text past this many characters is shown plain: colours are not worth a stalled event loop. */
const colouredLimit = 100_000;
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

/** Text ready to be shown. */
export interface Highlighted {
  /** One piece of escaped HTML a line, made of text and `<span class="hljs-…">` alone. */
  readonly lines: readonly string[];
  /** What it was coloured as; null when it was left plain. */
  readonly language: string | null;
}

let loaded: Promise<HLJSApi> | null = null;

/**
 * Colours a text. `language` is taken when it is one of `languages`; otherwise it is guessed from the first
 * 4,000 characters. Text over 100,000 characters stays plain.
 */
export async function highlight(whole: string, language: string | null): Promise<Highlighted> {
  const text = whole.replace(/\r?\n$/, '');
  if (text.length > colouredLimit) return plain(text);
  loaded ??= load();
  const hljs = await loaded;
  const wanted = language?.toLowerCase() ?? '';
  const chosen = hljs.getLanguage(wanted) ? wanted : guess(hljs, text);
  if (chosen === null || chosen === 'plaintext') return plain(text);
  return {
    lines: splitLines(hljs.highlight(text, { language: chosen, ignoreIllegals: true }).value),
    language: chosen,
  };
}

/** Loaded at the first paste that is shown; most processes start without ever needing it. */
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

function plain(text: string): Highlighted {
  const escaped = text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'));
  return { lines: escaped.split(/\r\n|\r|\n/), language: null };
}

/** Cuts coloured HTML at line ends; a span that goes on is closed and opened again. */
function splitLines(html: string): string[] {
  const open: string[] = [];
  return html.split(/\r\n|\r|\n/).map((line) => {
    const before = open.join('');
    for (const [tag] of line.matchAll(/<span[^<>]*>|<\/span>/g)) {
      if (tag === '</span>') open.pop();
      else open.push(tag);
    }
    return before + line + '</span>'.repeat(open.length);
  });
}
