import type MarkdownIt from 'markdown-it';
import { rendering } from './render.js';

/** Pictures of a notebook that a page can contain, in base64. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/svg+xml'];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;
const LANGUAGE = /^[\w+#.-]{1,40}$/;

type Part = Readonly<Record<string, unknown>>;

/**
 * The HTML of a Jupyter notebook (nbformat 4) as it was saved: texts, code and what came out. HTML in it stands in a frame in
 * which nothing runs. Throws for anything else.
 */
export async function renderNotebook(text: string): Promise<string> {
  const { cells, metadata } = partOf(JSON.parse(text));
  if (!Array.isArray(cells)) throw new TypeError('this is no notebook');
  const { language_info, kernelspec } = partOf(metadata);
  const named = textOf(partOf(language_info).name) || textOf(partOf(kernelspec).language);
  const language = LANGUAGE.test(named) ? named : 'python';
  return rendering((parser) => cells.map((cell) => cellHtml(parser, partOf(cell), language)).join(''));
}

function cellHtml(parser: MarkdownIt, { cell_type, source, outputs }: Part, language: string): string {
  const text = textOf(source);
  if (cell_type === 'markdown') return parser.render(text);
  if (cell_type !== 'code') return parser.render(fenced(text));
  const shown = Array.isArray(outputs) ? outputs.map((output) => outputHtml(parser, partOf(output))) : [];
  return `${text.trim() === '' ? '' : parser.render(fenced(text, language))}${shown.join('')}`;
}

/** What came out of a cell, in the form that shows most. */
function outputHtml(parser: MarkdownIt, { output_type, text, traceback, data }: Part): string {
  if (output_type === 'stream') return parser.render(fenced(textOf(text)));
  if (output_type === 'error')
    return parser.render(fenced((Array.isArray(traceback) ? traceback : []).map(textOf).join('\n')));
  const forms = partOf(data);
  for (const type of PICTURES) {
    const text = textOf(forms[type]);
    const bytes = (type.endsWith('+xml') ? svgBytes(text) : text).replaceAll(/\s/g, '');
    if (BASE64.test(bytes)) return `<p><img src="data:${type};base64,${bytes}" alt=""></p>`;
  }
  const html = textOf(forms['text/html']);
  if (html !== '')
    return `<iframe sandbox srcdoc="${parser.utils.escapeHtml(html)}" title="HTML" loading="lazy"></iframe>`;
  const markdown = textOf(forms['text/markdown']);
  return markdown === '' ? parser.render(fenced(textOf(forms['text/plain']))) : parser.render(markdown);
}

const svgBytes = (svg: string): string => Buffer.from(svg).toString('base64');

const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {});

/** A text, which notebooks also write as a list of lines. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join('') : typeof value === 'string' ? value : '';

/** A block of code, whatever it contains. */
function fenced(text: string, language = ''): string {
  const plain = text.replaceAll(COLOURS, '').replace(/\n$/, '');
  const longest = Math.max(2, ...(plain.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return plain.trim() === '' ? '' : `${fence}${language}\n${plain}\n${fence}\n`;
}
