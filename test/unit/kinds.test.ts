/** A kind of item is defined once a layer, and nothing else knows the kinds. What the compiler says of a new one: `new-kind`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/root.js';
import { KIND_DEFINITIONS, sourceFiles } from '../support/sources.js';

const test = suite('kinds of item');

/** What belongs to one kind, or to another product, which has its own; migrations say what the tables were at their time. */
const OF_ONE_KIND =
  /^(?:server\/web\/(?:image|paste|link)|routers\/features\/(?:image|paste|link)|db\/migrations)\/|^db\/content\/(?:file\/image|paste|link\/link(?:-sums)?)\.ts$|^db\/statistics\/visit-sums\.ts$|^rest-adapter\/doors\/|^rest-adapter\/routes\/(?:image|image-upload|paste|link)\.ts$/;
/** They list the routers, the groups of operations and what other products have, of which some are about one kind. */
const LISTS_OF_MORE = [
  // The command is bundled without the routers: it imports their types only.
  'client/bin/items.ts',
  'rest-adapter/openapi/tags.ts',
  'routers/index.ts',
  'server/operations/import/store/index.ts',
];

const others = sourceFiles().filter((file) => !KIND_DEFINITIONS.includes(file) && !OF_ONE_KIND.test(file));
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The strings that a node compares with: of a comparison or a case. */
function comparedOf(node: ts.Node): { readonly literal: string; readonly other: string } | null {
  if (ts.isCaseClause(node) && ts.isStringLiteral(node.expression))
    return { literal: node.expression.text, other: node.parent.parent.expression.getText() };
  if (!ts.isBinaryExpression(node) || !/^[!=]==?$/.test(node.operatorToken.getText())) return null;
  const [literal, other] = ts.isStringLiteral(node.right) ? [node.right, node.left] : [node.left, node.right];
  return ts.isStringLiteral(literal) ? { literal: literal.text, other: other.getText() } : null;
}

/** The medium of a file has a value with the same name as a kind. */
const MEDIA = /mediaKind$|^kindOf\(|^facts\.kind$|^top$/;

const isKindCompared = (node: ts.Node): boolean => {
  const compared = comparedOf(node);
  if (compared === null) return false;
  const { literal, other } = compared;
  return literal === 'paste' || literal === 'url' || (literal === 'image' && !MEDIA.test(other));
};

/** The names and strings that an array, an object or a pattern lists. */
function namesIn(node: ts.Node): readonly string[] {
  if (ts.isArrayLiteralExpression(node))
    return node.elements.filter(ts.isStringLiteral).map(({ text }) => text);
  if (ts.isObjectLiteralExpression(node)) return node.properties.map(({ name }) => name?.getText() ?? '');
  if (ts.isObjectBindingPattern(node))
    return node.elements.map(({ name, propertyName }) => (propertyName ?? name).getText());
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    return node.members.map(({ name }) => name?.getText() ?? '');
  return [];
}

const areKindsListed = (node: ts.Node): boolean => {
  const names = namesIn(node);
  return names.includes('paste') && names.includes('url');
};

const trees = new Map<string, ts.SourceFile>();

function treeOf(file: string): ts.SourceFile {
  const tree = trees.get(file) ?? ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree;
}

/** The places in these files at which something holds. */
function places(files: readonly string[], holds: (node: ts.Node) => boolean): string[] {
  return files.flatMap((file) => {
    const tree = treeOf(file);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (holds(node)) found.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
  });
}

test('nothing else compares with the name of a kind', () => {
  assert.equal(places(others, isKindCompared), []);
  const inSql = others.filter((file) =>
    /\bkind\s*(?:=|<>|IN)\s*\(?'(?:image|paste|url)'/i.test(textOf(file)),
  );
  assert.equal(inSql, []);
});

test('nothing else lists the kinds', () => {
  const files = others.filter((file) => !LISTS_OF_MORE.includes(file));
  assert.equal(places(files, areKindsListed), []);
});

test.run();
