/** What the name and the form of a text say about its language, before anything is guessed. */

const PLAIN = 'plaintext';

/** Extensions and whole names of files, by grammar; those of languages without a grammar are plain text. */
const NAMES: Readonly<Record<string, string>> = {
  bash: 'sh bash zsh ksh shell .bashrc .bash_profile .profile .zshrc apkbuild pkgbuild',
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh hxx ino',
  csharp: 'cs csx',
  css: 'css',
  diff: 'diff patch',
  dockerfile: 'dockerfile containerfile',
  go: 'go',
  graphql: 'graphql gql',
  ini: 'ini toml cfg properties env .env editorconfig service desktop',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  json: 'json jsonc geojson webmanifest har ipynb',
  kotlin: 'kt kts',
  lua: 'lua',
  makefile: 'makefile gnumakefile mk mak',
  markdown: 'md markdown mdown mkd mdx',
  nginx: 'nginx nginx.conf',
  php: 'php phtml',
  powershell: 'ps1 psm1 psd1',
  python: 'py pyw pyi',
  ruby: 'rb rake gemspec gemfile rakefile vagrantfile',
  rust: 'rs',
  sql: 'sql ddl psql',
  swift: 'swift',
  typescript: 'ts mts cts tsx',
  xml: 'xml html htm xhtml svg xsl xslt xsd rss atom plist vue csproj',
  yaml: 'yaml yml',
  [PLAIN]:
    'txt text log csv tsv rst adoc asciidoc org tex bib srt vtt ics vcf eml pem crt key asc pl pm hs r jl m scala clj ' +
    'ex exs erl dart vb bas pas asm s f90 lisp el scm ml fs nim zig v vhdl groovy gradle bat cmd awk vim tcl proto ' +
    'license licence copying notice authors contributors changelog changes readme install todo news version copyright ' +
    'passwd group hosts fstab crontab .gitignore .dockerignore .npmignore .gitattributes',
};
const languageOfName = new Map(
  Object.entries(NAMES).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
);

/** The grammar for a file of this name, `plaintext` for a text in none of them; null if the name does not say. */
export function languageByName(name: string): string | null {
  const whole = name.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '';
  const extension = /\.([a-z0-9_]{1,12})$/.exec(whole)?.[1] ?? '';
  // `Dockerfile.test` and `LICENSE-MIT` are named by their beginning.
  const beginning = /^[a-z]+(?=[.-])/.exec(whole)?.[0] ?? '';
  const special = ['dockerfile', 'makefile', 'license', 'licence'].includes(beginning) ? beginning : '';
  return languageOfName.get(whole) ?? languageOfName.get(extension) ?? languageOfName.get(special) ?? null;
}

/** A first line that only one language has. */
const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^#!.{0,80}\b(?:ba|z|k|da)?sh\b/, 'bash'],
  [/^#!.{0,80}\bpython/, 'python'],
  [/^#!.{0,80}\b(?:node|deno|bun)\b/, 'javascript'],
  [/^#!.{0,80}\bruby/, 'ruby'],
  [/^#!.{0,80}\bphp/, 'php'],
  [/^#!/, PLAIN],
  [/^<\?php/, 'php'],
  [/^(?:<\?xml|<!doctype)\b/i, 'xml'],
  [/^(?:diff --git |--- \S.*\n\+\+\+ \S)/, 'diff'],
];

/** What only Markdown has; a text with two of these is Markdown, whatever code it quotes. */
const MARKDOWN = [
  /(?<=^|\n[ \t\r]*\n)#{1,6} \S[^\n]*\n[ \t\r]*\n/,
  /^(?:```|~~~)[\w-]{0,20}\s*$/m,
  /(?<!\w)\[[^[\]\n]{1,200}\]\([^[)\s]{1,500}\)/,
  /(?<![\w*])\*\*[^\s*][^*\n]{0,200}\*\*(?![\w*])/,
  /^\|?[ \t]*:?-{3,}:?[ \t]*\|/m,
  /^\S[^\n]{0,200}\n(?:={3,}|-{3,})\s*$/m,
  /^[-*] \S[^\n]{0,200}[a-z]{3}/m,
];

/** The grammar that the form of a text proves, or `plaintext`; null if it proves none. */
export function languageByForm(text: string): string | null {
  const start = text.trimStart();
  const opening = OPENINGS.find(([pattern]) => pattern.test(start.slice(0, 1_000)))?.[1];
  if (opening !== undefined) return opening;
  if (/^[[{]/.test(start) && isJson(start)) return 'json';
  const beginning = start.slice(0, 4_000);
  if (isRecords(start, beginning)) return PLAIN;
  return MARKDOWN.filter((pattern) => pattern.test(beginning)).length >= 2 ? 'markdown' : null;
}

/** Whether a text has several lines, each of them a record of fields, such as /etc/passwd. */
function isRecords(text: string, beginning: string): boolean {
  const lines = beginning.split('\n');
  // The last line may be cut.
  if (beginning.length < text.length) lines.pop();
  const written = lines.filter((line) => line.trim() !== '');
  return written.length > 1 && written.every((line) => /^(?:[^:]*:){3}/.test(line));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Languages whose texts have few marks, by what most of their lines look like. */
const LINES: Readonly<Record<string, RegExp>> = {
  yaml: /^\s*(?:#|- |---|[\w."'/-]+:(?:\s|$))/,
  dockerfile: /^\s*(?:#|[A-Z]{3,12}\s)|\\$/,
  ini: /^\s*(?:[#;[]|[\w.-]+\s*=)/,
  markdown: /^/,
};
/** The share of marks in a text below which it is prose. Licences, with their quotes and brackets, have half of it. */
const MIN_MARKS = 0.02;

/** Whether a text can be in a language at all: code has marks that prose does not, or lines of a certain form. */
export function isWritten(language: string, text: string): boolean {
  const form = LINES[language];
  if (form === undefined) {
    return (text.match(/[{}()[\];=<>$|\\@#`]/g)?.length ?? 0) >= MIN_MARKS * text.length;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.filter((line) => form.test(line)).length >= lines.length / 2;
}
