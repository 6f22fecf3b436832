/** Which texts the sources have in them for the catalogues, as docs/languages.md says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT } from '../root.js';
import { sourceFiles } from '../sources.js';
import { calledIn, literalsIn } from './literals.js';
import { importsZod, putTogetherIn, reasonIn, rulesIn, saysToCallers } from './rules.js';

/** A text of the sources: its key in the catalogues, and where it stands. */
export interface Found {
  readonly key: string;
  readonly place: string;
  /** The names of the values that are given with it; null if they are not written there. */
  readonly values: readonly string[] | null;
}

/** A call whose text cannot be read from the source. */
export interface Unreadable {
  readonly place: string;
  readonly call: string;
}

/** A source file, read as TypeScript. */
export const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);

/** The file and line of a node. */
export const placeOf = (node: ts.Node): string => {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

/** The functions that say or mark a text, and which of their arguments it is. */
const SAYING: Readonly<Record<string, number>> = {
  ...{ t: 0, tc: 1, msg: 0, msgc: 1, rich: 0, localizable: 0, rule: 0 },
  // The scripts of pages: `t`, and with values this.
  tv: 0,
};

/** Whether a call says or marks a text, and its argument that is one. */
export function textOf(call: ts.CallExpression): ts.Expression | null {
  const name = calledIn(call);
  if (name === null || !Object.hasOwn(SAYING, name)) return null;
  return call.arguments[SAYING[name] ?? 0] ?? null;
}

/** Whether the first argument of a call says which meaning its text has. */
export const hasContext = (call: ts.CallExpression): boolean => /^(?:tc|msgc)$/.test(calledIn(call) ?? '');

function valuesOf(call: ts.CallExpression): string[] | null {
  const given = call.arguments[(SAYING[calledIn(call) ?? ''] ?? 0) + 1];
  if (given === undefined) return [];
  if (!ts.isObjectLiteralExpression(given)) return null;
  if (given.properties.some(ts.isSpreadAssignment)) return null;
  return given.properties.map((property) => property.name?.getText() ?? '');
}

/** What a domain error says instead of its standard text: `fail(reason, 'text')`, or `{ message: 'text' }` in it or a new one. */
export function refusalIn(call: ts.CallExpression | ts.NewExpression): string[] {
  const isRefusal = ts.isNewExpression(call)
    ? call.expression.getText() === 'DomainError'
    : calledIn(call) === 'fail';
  const given = isRefusal ? call.arguments?.[1] : undefined;
  if (given === undefined) return [];
  if (!ts.isObjectLiteralExpression(given)) return literalsIn(given) ?? [];
  return given.properties.flatMap((property) =>
    ts.isPropertyAssignment(property) && property.name.getText() === 'message'
      ? (literalsIn(property.initializer) ?? [])
      : [],
  );
}

/** What has no texts of the catalogues: their own code. */
const SKIPPED = ['routers/base/language/'];

/** Every text of the sources, and the calls whose text cannot be read. */
export function textsOfSources(): { readonly found: Found[]; readonly unreadable: Unreadable[] } {
  const found: Found[] = [];
  const unreadable: Unreadable[] = [];
  for (const path of sourceFiles().filter((file) => !SKIPPED.some((start) => file.startsWith(start)))) {
    const file = parse(path);
    const hasSchemas = saysToCallers(path) && importsZod(file);
    const isCommand = path.startsWith('server/operations/');
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const place = placeOf(node);
        const rules = hasSchemas ? rulesIn(node) : [];
        for (const key of rules) {
          if (typeof key === 'string') found.push({ key, place, values: null });
          else unreadable.push({ place, call: key.getText() });
        }
        for (const given of isCommand ? [] : putTogetherIn(node))
          unreadable.push({ place, call: given.getText() });
        const argument = textOf(node);
        if (argument !== null) {
          const texts = literalsIn(argument);
          const context = hasContext(node) ? literalsIn(node.arguments[0] as ts.Expression) : [''];
          if (texts === null || context?.length !== 1) unreadable.push({ place, call: node.getText() });
          else
            for (const text of texts)
              found.push({
                key: context[0] === '' ? text : `${context[0]}|${text}`,
                place,
                // A marked text gets its values later.
                values: /^msgc?$/.test(calledIn(node) ?? '') ? null : valuesOf(node),
              });
        }
      }
      if (ts.isNewExpression(node) || ts.isCallExpression(node))
        for (const key of [...refusalIn(node), ...reasonIn(node)])
          found.push({ key, place: placeOf(node), values: null });
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { found, unreadable };
}
