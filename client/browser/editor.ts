/**
 * Loaded by the pages for a new paste and for its changes: Tab indents the text and Shift+Tab takes that back, after Escape it moves on as
 * everywhere; Ctrl+Enter sends the form; a text file that is dropped becomes the text. Lines are numbered, and the
 * language that will be detected is shown.
 */
import { find } from './find.js';
import { announceLanguage } from './language.js';
import { numberLines } from './numbers.js';
import { offerSealing, sealedFor } from './sealed/choice.js';
import { toast } from './toast.js';
import { tv } from './values.js';

const INDENT = '  ';
/** What a paste can have, in bytes. */
const MAX_BYTES = 1024 * 1024;

for (const field of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-editor]')) {
  numberLines(field);
  edit(field);
  if (field.dataset.detects === 'true') announceLanguage(field);
}

const seals = document.querySelector('#seal')?.closest('form');
if (seals) {
  offerSealing(seals);
  seals.addEventListener('submit', (event) => {
    const whom = sealedFor(seals);
    if (whom === null) return;
    event.preventDefault();
    const problem = find(seals, '[data-problem]');
    problem.hidden = true;
    import('./sealed/paste.js')
      .then(({ createSealed }) => createSealed(seals, whom))
      .then(showMade, (error: unknown) => {
        problem.hidden = false;
        find(problem, 'span').textContent = error instanceof Error ? error.message : '';
      });
  });
}

/** Shows the link of a sealed paste in place of its form; the key is nowhere else. */
function showMade(link: string): void {
  const made = find(document.body, '[data-sealed-made]');
  const open = find<HTMLAnchorElement>(made, 'a');
  open.href = link;
  open.textContent = link;
  find(made, '[data-copy]').dataset.copy = link;
  if (seals) seals.hidden = true;
  made.hidden = false;
}

function edit(field: HTMLTextAreaElement): void {
  // By Escape and Tab everybody who uses a keyboard gets out of the field.
  let leaving = false;
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leaving = true;
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      field.form?.requestSubmit();
    } else if (event.key === 'Tab' && !leaving && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      if (event.shiftKey) outdent(field);
      else indent(field);
    } else if (event.key !== 'Shift') leaving = false;
  });
  field.addEventListener('blur', () => {
    leaving = false;
  });
  field.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  field.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void take(field, file);
  });
}

/** Puts two spaces at the cursor, or before each selected line. */
function indent(field: HTMLTextAreaElement): void {
  const { selectionStart, selectionEnd, value } = field;
  if (value.slice(selectionStart, selectionEnd).includes('\n'))
    changeLines(field, (line) => (line === '' ? line : INDENT + line));
  else insert(INDENT);
}

/** Takes the indentation of one level from the line of the cursor, or from each selected line. */
function outdent(field: HTMLTextAreaElement): void {
  changeLines(field, (line) => line.replace(/^(?:\t| {1,2})/, ''));
}

function changeLines(field: HTMLTextAreaElement, change: (line: string) => string): void {
  const { selectionStart, selectionEnd, value } = field;
  const from = value.lastIndexOf('\n', selectionStart - 1) + 1;
  // A selection that ends at the beginning of a line does not include it.
  const last =
    selectionEnd > selectionStart && value[selectionEnd - 1] === '\n' ? selectionEnd - 1 : selectionEnd;
  const end = value.indexOf('\n', last);
  const to = end === -1 ? value.length : end;
  const before = value.slice(from, to);
  const after = before.split('\n').map(change).join('\n');
  if (after === before) return;
  field.setSelectionRange(from, to);
  insert(after);
  const many = before.includes('\n');
  const cursor = Math.max(from, selectionStart + after.length - before.length);
  field.setSelectionRange(many ? from : cursor, many ? from + after.length : cursor);
}

/** The only way to change a field so that the browser can undo it. */
function insert(text: string): void {
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
}

async function take(field: HTMLTextAreaElement, file: File): Promise<void> {
  if (file.size > MAX_BYTES) return toast(tv('{name} is larger than 1 MB', { name: file.name }));
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return toast(tv('{name} is not a text', { name: file.name }));
  }
  if (text.includes('\0')) return toast(tv('{name} is not a text', { name: file.name }));
  field.focus();
  field.select();
  insert(text);
  const title = field.form?.elements.namedItem('title');
  if (title instanceof HTMLInputElement && title.value === '') title.value = file.name;
}
