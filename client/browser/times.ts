/**
 * Pages tell times in UTC; here they become those of the reader: near ones in words, all exactly in their title. Fields
 * are filled in with them, and send UTC as without scripts.
 */
import { locale } from './speech.js';

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const short = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Times farther away have a date. */
const NEAR = 7 * DAY;

/** A time as its reader would say it. */
function inWords(at: Date): string {
  const away = at.getTime() - Date.now();
  const distance = Math.abs(away);
  if (distance >= NEAR) return short.format(at);
  if (distance >= DAY) return words.format(Math.trunc(away / DAY), 'day');
  if (distance >= HOUR) return words.format(Math.trunc(away / HOUR), 'hour');
  return words.format(Math.trunc(away / MINUTE), 'minute');
}

/** Replaces the times of the page. */
export function localizeTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = exact.format(at);
    time.textContent = inWords(at);
  }
}

/** Lets the fields of the page that take a moment take it in the time of their reader. */
export function localizeFields(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[type="datetime-local"]')) {
    const shown = field.value;
    const local = shown === '' ? '' : localMinute(new Date(`${shown}Z`));
    field.value = local;
    // What is untouched is sent as it came: an hour of autumn is there twice.
    sendAs(field, () => (field.value === local ? shown : utcMinute(field.value)));
  }
}

/** Lets the fields of the page that take the last day of something take it as a day of their reader. */
export function localizeDays(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-last-day]')) {
    const came = field.value;
    const day = dayThatEnds(came);
    if (day !== null) {
      field.type = 'date';
      field.value = day;
      field.removeAttribute('aria-describedby');
      field.parentElement?.querySelector('[data-day-hint]')?.closest('.hint')?.remove();
    }
    if (field.type !== 'date') continue;
    const shown = field.value;
    sendAs(field, () => (field.value === shown ? came : endOfDay(field.value)));
  }
}

/** Sends something else than the field shows, and shows that its zone is the reader's. */
function sendAs(field: HTMLInputElement, sent: () => string): void {
  for (const label of field.labels ?? []) label.querySelector('[data-zone]')?.remove();
  field.form?.addEventListener('formdata', ({ formData }) => {
    if (formData.has(field.name)) formData.set(field.name, sent());
  });
}

const END = 'T23:59:59.999';
const endOfDay = (day: string): string => (day === '' ? '' : new Date(`${day}${END}`).toISOString());

/** The day of the reader that ends at this moment; null if none does. */
function dayThatEnds(moment: string): string | null {
  const at = new Date(moment);
  if (!moment.endsWith('Z') || Number.isNaN(at.getTime())) return null;
  const day = localMinute(at).slice(0, 10);
  return endOfDay(day) === moment ? day : null;
}

const localMinute = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
const utcMinute = (local: string): string => (local === '' ? '' : new Date(local).toISOString().slice(0, 16));
