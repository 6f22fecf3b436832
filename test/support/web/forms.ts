/** The state of the forms on a page, read from its HTML. */
import * as assert from 'uvu/assert';
import type { Answer } from '../../harness.js';

/** The tag of a field, by its id. */
function tag({ text }: Answer, id: string): string {
  const found = new RegExp(`<(?:input|textarea)[^>]* ?id="${id}"[^>]*>`).exec(text)?.[0];
  assert.ok(found, `no field ${id}`);
  return found;
}

/** The value of a field; undefined if it is empty. */
export const shownIn = (answer: Answer, id: string) => /value="([^"]*)"/.exec(tag(answer, id))?.[1];
/** Whether a checkbox is checked. */
export const isTicked = (answer: Answer, id: string) => / checked\b/.test(tag(answer, id));
/** Whether a field is required. */
export const isRequired = (answer: Answer, id: string) => / required\b/.test(tag(answer, id));
/** The error at a field; undefined if there is none. */
export const errorAt = ({ text }: Answer, id: string) =>
  new RegExp(`<p class="error" id="${id}-error">([^<]*)<`).exec(text)?.[1];
/** The selected value of a choice. */
export const chosenIn = ({ text }: Answer, id: string) =>
  /<option value="([^"]*)" selected/.exec(
    text.slice(text.indexOf(`<select id="${id}"`)).split('</select>')[0] ?? '',
  )?.[1];

/** The content of the card with this title. */
export function card({ text }: Answer, title: string): string {
  const found = text.split(/<section class="card/).find((part) => part.includes(`<h2>${title}</h2>`));
  assert.ok(found, `no card ${title}`);
  return found;
}
