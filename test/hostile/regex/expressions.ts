import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT } from '../../support/root.js';
import { sourceFiles } from '../../support/sources.js';

/** A regular expression of the source. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** The first file that contains it. */
  readonly file: string;
}

/** Replaces the placeholder where an expression is built from a name. */
const NAME = 'name';

/** Every regular expression of the program: literals, and `new RegExp` of a string or template. */
export function collectExpressions(): Expression[] {
  const found = new Map<string, Expression>();
  for (const file of sourceFiles()) {
    const tree = ts.createSourceFile(
      file,
      readFileSync(join(ROOT, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      const expression = expressionOf(node, file);
      if (expression !== null) found.set(`/${expression.source}/${expression.flags}`, expression);
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return [...found.values()];
}

function expressionOf(node: ts.Node, file: string): Expression | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1), file };
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return null;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return null;
  const [source, flags] = node.arguments ?? [];
  return { source: textOf(source, file), flags: flags === undefined ? '' : textOf(flags, file), file };
}

/** The text of a literal, with a name in place of each template placeholder. */
function textOf(node: ts.Expression | undefined, file: string): string {
  if (node !== undefined && ts.isStringLiteralLike(node)) return node.text;
  if (node !== undefined && ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => NAME + literal.text).join('');
  throw new Error(`${file}: an expression that cannot be read from the source`);
}
