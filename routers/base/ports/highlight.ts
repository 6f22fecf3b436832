/** The languages that users can choose. Detection only considers those that it can tell apart reliably. */
export const LANGUAGES = [
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

/** Text ready to be displayed. */
export interface Highlighted {
  /** Escaped HTML for each line: only text and `<span class="hljs-…">`. */
  readonly lines: readonly string[];
  /** The language it was highlighted as; null if it was left plain. */
  readonly language: string | null;
}

/**
 * The lines of a text, highlighted as `language`, or as the language of a file with this name, or as the detected
 * language. A text that is too long, takes too long or arrives while many others are queued stays plain. Never throws.
 */
export type Highlight = (text: string, language: string | null, name?: string | null) => Promise<Highlighted>;
