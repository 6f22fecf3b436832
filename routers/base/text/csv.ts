import { setImmediate as nextTurn } from 'node:timers/promises';

/** A quote that is never closed, and the line of its record. */
export class UnclosedQuote extends Error {
  constructor(readonly line: number) {
    super(`line ${line}: a quote is not closed`);
    this.name = 'UnclosedQuote';
  }
}

/** A record of a CSV text, and the line on which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Characters that are read in a few milliseconds. */
const PIECE = 64 * 1024;

/**
 * Reads cells that are separated by tabs, quoted as spreadsheets copy them (otherwise as RFC 4180): quoted cells may contain
 * separators, line breaks and doubled quotes. Blank lines are left out. A quote that is never closed is reported with its
 * line, because everything behind it would be one cell. Reading ends behind `most` records, as each takes many times the
 * memory of its text.
 */
export const readTsv = (text: string, most: number): CsvRecord[] => atOnce(readSeparated(text, most, '\t'));

/** Records by which a separator is recognised. */
const SAMPLE = 50;

/**
 * The same of a CSV text. Its cells may be separated by tabs or semicolons: by what divides the first records into the same
 * number of cells, so that commas are part of numbers. Otherwise by commas.
 */
export function readTable(text: string, most: number): CsvRecord[] {
  const separator = ['\t', ';'].find((sign) => divides(text, sign)) ?? ',';
  return atOnce(readSeparated(text, most, separator));
}

function divides(text: string, separator: string): boolean {
  try {
    const [first, ...others] = atOnce(readSeparated(text, SAMPLE, separator));
    const columns = first?.cells.length ?? 0;
    return columns > 1 && others.length > 0 && others.every(({ cells }) => cells.length === columns);
  } catch (error) {
    if (error instanceof UnclosedQuote) return false;
    throw error;
  }
}

/** A CSV text whose cells are separated by commas, for long texts: others get their turn in between. */
export async function readLongCsv(text: string, most: number): Promise<CsvRecord[]> {
  const reading = readSeparated(text, most, ',');
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

function atOnce(reading: Generator<void, CsvRecord[]>): CsvRecord[] {
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

function* readSeparated(text: string, most: number, separator: string): Generator<void, CsvRecord[]> {
  const records: CsvRecord[] = [];
  const body = text.replace(/^\ufeff/, '');
  let line = 1;
  let begun = 1;
  let cells: string[] = [];
  let cell = '';
  // To look at the cell each time would take the square of its length.
  let isBlank = true;
  let quoted = false;
  let wasQuoted = false;
  const endRecord = (): void => {
    if (cells.length > 0 || cell.trim() !== '' || wasQuoted)
      records.push({ line: begun, cells: [...cells, cell] });
    cells = [];
    cell = '';
    isBlank = true;
    wasQuoted = false;
  };
  const append = (sign: string): void => {
    cell += sign;
    isBlank &&= sign.trim() === '';
  };
  for (let at = 0; at < body.length && records.length <= most; at += 1) {
    if (at % PIECE === PIECE - 1) yield;
    const sign = body[at] ?? '';
    if (sign === '\n') line += 1;
    if (quoted) {
      if (sign !== '"') append(sign);
      else if (body[at + 1] === '"') {
        append('"');
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && isBlank) {
      quoted = true;
      wasQuoted = true;
      cell = '';
    } else if (sign === separator) {
      cells.push(cell);
      cell = '';
      isBlank = true;
    } else if (sign === '\n') {
      endRecord();
      begun = line;
    } else if (sign !== '\r' || body[at + 1] !== '\n') append(sign);
  }
  if (records.length > most) return records;
  if (quoted) throw new UnclosedQuote(begun);
  endRecord();
  return records;
}

/** One line of CSV with its line break. */
export const csvLine = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map((cell) => quotedCell(cell === null ? '' : String(cell))).join(',')}\r\n`;

const quotedCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A text that others wrote, for a cell: spreadsheets would run one that begins like a formula. */
export const harmless = (text: string | null): string =>
  text === null ? '' : /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
