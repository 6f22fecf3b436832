/** What a page says to its reader, however shortly, to find what it says in another language than it should. */
import type { Page } from 'playwright-core';
import type { Language } from '../../../routers/base/language/languages.js';
import { readCatalogue } from '../texts/catalogues.js';

/** Words of English that no other of our languages has. */
const ENGLISH =
  /\b(?:the|and|you|your|with|of|to|file|files|folder|uploaded|uploading|cannot|could|already|please|again)\b/i;

/**
 * Listens to everything that the page shows from its next address on: texts, and attributes that are words. Returns what
 * of it is English: a text of the catalogue that has a translation, or any with an English word.
 */
export async function listenForEnglish(page: Page, language: Exclude<Language, 'en'>) {
  const heard = new Set<string>();
  await page.exposeFunction('hear', (text: string) => void heard.add(text));
  await page.addInitScript(report);
  const catalogue = readCatalogue(language);
  const isEnglish = (text: string): boolean =>
    ENGLISH.test(text) || (Object.hasOwn(catalogue, text) && catalogue[text] !== text);
  return {
    /** What was English. */
    english: () => [...heard].filter(isEnglish),
    /** Whether it has said this. */
    said: (text: string) => [...heard].some((one) => one.includes(text)),
  };
}

/** Runs in the page, before everything else. */
function report(): void {
  const WORDS = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];
  const { hear } = globalThis as unknown as { readonly hear: (text: string) => void };
  const told = new Set<string>();
  const tell = (text: string | null): void => {
    const words = text?.replace(/\s+/g, ' ').trim() ?? '';
    if (words === '' || told.has(words)) return;
    told.add(words);
    hear(words);
  };
  const read = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE && !node.parentElement?.closest('script, style, code, pre, kbd'))
      tell(node.textContent);
    if (node instanceof Element) for (const name of WORDS) tell(node.getAttribute(name));
    for (const child of node.childNodes) read(child);
    if (node instanceof HTMLTemplateElement) read(node.content);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes, attributeName } of changes) {
      if (type === 'childList') for (const node of addedNodes) read(node);
      else if (type === 'characterData') read(target);
      else if (target instanceof Element) tell(target.getAttribute(attributeName ?? ''));
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: WORDS,
  });
}
