import addressparser from 'nodemailer/lib/addressparser';
import { withWordsAside } from './words.js';

/** A mailbox in a header: `address` as written, `name` decoded or "". */
export interface Person {
  readonly name: string;
  readonly address: string;
}

const MAX_PEOPLE = 500;
const MAX_LENGTH = 64 * 1024;
/** Groups and lists in each other, as libraries write them: an object with a list of objects with a group. */
const MAX_DEPTH = 6;

/** The people of a header as it was sent; those of groups too. */
export function peopleIn(header: string): Person[] {
  const line = header.slice(0, MAX_LENGTH).replace(/[\r\n\t\0]+/g, ' ');
  return withWordsAside(line, (aside, back) =>
    addressparser(aside, { flatten: true })
      .filter(({ address }) => address !== '')
      .slice(0, MAX_PEOPLE)
      .map(({ name, address }) => ({ name: back(name), address: back(address).trim() })),
  );
}

/**
 * The people of a value of the JSON that programs make of a mail: text, `{name, address}`, groups `{name, group: []}`,
 * the `{value: [], text}` of mailparser, and lists of all of them. Null if it is something else.
 */
export function peopleOf(value: unknown, depth = 0): Person[] | null {
  if (value === null || value === undefined || value === false) return [];
  if (typeof value === 'string') return peopleIn(value);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return together(value.slice(0, MAX_PEOPLE), depth);
  const { name, address, email, mail, group, value: list, text } = value as Record<string, unknown>;
  if (Array.isArray(group)) return together(group, depth);
  if (Array.isArray(list)) return together(list, depth);
  const written = [address, email, mail].find((one) => typeof one === 'string');
  if (typeof written === 'string') return [named(name, written)];
  return typeof text === 'string' ? peopleIn(text) : Object.keys(value).length === 0 ? [] : null;
}

function together(values: readonly unknown[], depth: number): Person[] | null {
  const found: Person[] = [];
  for (const value of values) {
    const people = peopleOf(value, depth + 1);
    if (people === null) return null;
    found.push(...people);
  }
  return found.slice(0, MAX_PEOPLE);
}

/** Who wrote a name beside an address may have written another name into it. */
function named(name: unknown, address: string): Person {
  const [person] = peopleIn(address);
  const shown = typeof name === 'string' ? withWordsAside(name, (aside, back) => back(aside)) : '';
  return { name: shown || (person?.name ?? ''), address: person?.address ?? address.trim() };
}

/** Signs that mean something in a list of addresses. */
const SPECIAL = /[,;:<>()[\]@"\\]/;

/** A person as people and programs read it: a name that a list would be split at is quoted. */
export const written = ({ name, address }: Person): string => {
  if (name === '') return address;
  const shown = SPECIAL.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${shown} <${address}>`;
};
