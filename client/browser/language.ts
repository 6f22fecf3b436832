import { sealedFor } from './sealed/choice.js';
import { tv } from './values.js';

/** As much of a text says in what language it is. */
const SAMPLE = 20_000;
/** Since the last change; while one types nobody asks. */
const PAUSE_MS = 600;

/** Shows which language will be detected, in the choice of a language, as long as none is chosen. */
export function announceLanguage(field: HTMLTextAreaElement): void {
  const { form } = field;
  const choice = form?.elements.namedItem('language');
  const title = form?.elements.namedItem('title');
  const detect = choice instanceof HTMLSelectElement ? choice.options[0] : undefined;
  if (!(choice instanceof HTMLSelectElement) || detect === undefined) return;
  const label = detect.text;
  let timer: number | undefined;
  let asked: AbortController | null = null;
  const ask = async (): Promise<void> => {
    asked?.abort();
    asked = new AbortController();
    const text = field.value.slice(0, SAMPLE);
    const name = title instanceof HTMLInputElement ? title.value : '';
    // Nothing of what is to be sealed is sent to be looked at.
    if (text.trim() === '' || choice.value !== '' || (form !== null && sealedFor(form) !== null)) {
      detect.text = label;
      return;
    }
    try {
      const body = new URLSearchParams({ text, title: name });
      const answer = await fetch('/web/paste-language', { method: 'POST', body, signal: asked.signal });
      if (!answer.ok) throw new Error();
      const { language } = (await answer.json()) as { language: string | null };
      detect.text =
        language === null ? tv('{choice}: plain text', { choice: label }) : `${label}: ${language}`;
    } catch {
      // It is detected anyway when the paste is created.
      if (!asked.signal.aborted) detect.text = label;
    }
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), PAUSE_MS);
  };
  for (const changed of [field, title, choice])
    if (changed instanceof HTMLElement) changed.addEventListener('input', later);
  if (field.value !== '') later();
}
