/** What the forms of a page show, read from its HTML. */
import * as assert from 'uvu/assert';
import type { Answer } from '../harness.js';

/** The tag of a field, by its id. */
function tag({ text }: Answer, id: string): string {
  const found = new RegExp(`<(?:input|textarea)[^>]* ?id="${id}"[^>]*>`).exec(text)?.[0];
  assert.ok(found, `no field ${id}`);
  return found;
}

/** What stands in a field; undefined when nothing does. */
export const shownIn = (answer: Answer, id: string) => /value="([^"]*)"/.exec(tag(answer, id))?.[1];
/** Whether a box is ticked. */
export const isTicked = (answer: Answer, id: string) => / checked\b/.test(tag(answer, id));
/** Whether a field has to be filled in. */
export const isRequired = (answer: Answer, id: string) => / required\b/.test(tag(answer, id));
/** What is said to be wrong with a field; undefined when nothing is. */
export const errorAt = ({ text }: Answer, id: string) =>
  new RegExp(`<p class="error" id="${id}-error">([^<]*)<`).exec(text)?.[1];
/** The value that a choice stands at. */
export const chosenIn = ({ text }: Answer, id: string) =>
  /<option value="([^"]*)" selected/.exec(
    text.slice(text.indexOf(`<select id="${id}"`)).split('</select>')[0] ?? '',
  )?.[1];

/** What stands in the card with this title. */
export function card({ text }: Answer, title: string): string {
  const found = text.split(/<section class="card/).find((part) => part.includes(`<h2>${title}</h2>`));
  assert.ok(found, `no card ${title}`);
  return found;
}
