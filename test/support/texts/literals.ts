/** Texts and calls of the sources, as they are written. */
import ts from '@typescript/typescript6';

/** The name of the function that a call is of, of a method its own. */
export function calledIn(call: ts.CallExpression): string | null {
  const { expression } = call;
  if (ts.isIdentifier(expression)) return expression.text;
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const { text } = expression.name;
  // `i18n.t`; other methods of these names are not ours.
  return /(?:^|\.)i18n$|^ENGLISH$/.test(expression.expression.getText()) ? text : null;
}

/** The texts that an argument can be: a literal, or a choice between some; null for anything else. */
export function literalsIn(node: ts.Expression): string[] | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression);
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [literalsIn(node.whenTrue), literalsIn(node.whenFalse)];
    return yes === null || no === null ? null : [...yes, ...no];
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literalsIn(node.left), literalsIn(node.right)];
    return left?.length === 1 && right?.length === 1 ? [`${left[0]}${right[0]}`] : null;
  }
  return null;
}
