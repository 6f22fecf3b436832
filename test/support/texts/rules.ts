/** What schemas say of input that they reject, and refusals that are put together from parts. */
import ts from '@typescript/typescript6';
import { calledIn, literalsIn } from './literals.js';

/** Whether the schemas of a file are for callers, and not for those who run the installation. */
export const saysToCallers = (path: string): boolean => /^(?:routers|rest-adapter|server\/web)\//.test(path);

/** Whether a file makes schemas. */
export const importsZod = (file: ts.SourceFile): boolean =>
  file.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      statement.moduleSpecifier.text === 'zod' &&
      statement.importClause?.isTypeOnly !== true,
  );

/** Methods of a schema whose argument of this place is what they say, or has it as `error` or `message`. */
const CHECKS: Readonly<Record<string, number>> = {
  ...{
    min: 1,
    max: 1,
    length: 1,
    regex: 1,
    refine: 1,
    startsWith: 1,
    endsWith: 1,
    includes: 1,
    multipleOf: 1,
  },
  ...{ gt: 1, gte: 1, lt: 1, lte: 1, enum: 1, literal: 1, array: 1, object: 1, union: 1, superRefine: 1 },
  ...{ string: 0, number: 0, int: 0, boolean: 0, url: 0, email: 0, positive: 0, nonempty: 0, addIssue: 0 },
};

/** Whether a method is one of a schema: not `Math.max`, nor that of a form whose field it names. */
const isOfSchema = ({ expression, name }: ts.PropertyAccessExpression): boolean =>
  /^(?:z|ctx)$|\bz\s*\./.test(expression.getText()) ||
  (CHECKS[name.text] !== 0 && !/^(?:Math|Object|Array)$/.test(expression.getText()));

const textGiven = (given: ts.Expression): ts.Expression | null => {
  if (!ts.isObjectLiteralExpression(given))
    return ts.isStringLiteralLike(given) || ts.isTemplateExpression(given) || isChosen(given) ? given : null;
  const said = given.properties.find((property) =>
    /^(?:error|message)$/.test(property.name?.getText() ?? ''),
  );
  return said !== undefined && ts.isPropertyAssignment(said) ? said.initializer : null;
};

/** Whether a text is made where it is given. */
const isChosen = (node: ts.Expression): boolean =>
  ts.isConditionalExpression(node) || ts.isIdentifier(node) || ts.isCallExpression(node);

/** The texts that a call gives a schema, and those that cannot be read from the source. */
export function rulesIn(call: ts.CallExpression): (string | ts.Expression)[] {
  const { expression } = call;
  if (!ts.isPropertyAccessExpression(expression) || !isOfSchema(expression)) return [];
  const at = Object.hasOwn(CHECKS, expression.name.text) ? CHECKS[expression.name.text] : undefined;
  const given = at === undefined ? undefined : call.arguments[at];
  const text = given === undefined ? null : textGiven(given);
  return text === null ? [] : said(text);
}

function said(node: ts.Expression): (string | ts.Expression)[] {
  const literals = literalsIn(node);
  if (literals !== null) return literals;
  if (ts.isConditionalExpression(node)) return [...said(node.whenTrue), ...said(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...said(node.left), ...said(node.right)];
  // A text that another schema has said, or a constant that was made by `rule`.
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'message') return [];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return said(node.body);
  if (ts.isParenthesizedExpression(node)) return said(node.expression);
  if (ts.isIdentifier(node)) return node.text === 'undefined' || isRule(node) ? [] : [node];
  return ts.isCallExpression(node) && calledIn(node) === 'rule' ? [] : [node];
}

const isRule = (name: ts.Identifier): boolean =>
  new RegExp(`\\bconst ${name.text} = rule\\(`).test(name.getSourceFile().text);

/** Why something is refused by a part of the server that does not know the caller. */
export function reasonIn(node: ts.NewExpression | ts.CallExpression): string[] {
  const name = node.expression.getText();
  const refuses = ts.isNewExpression(node)
    ? /^(?:Archive|Mail|Outbound)(?:Refused|Failed)$/.test(name)
    : /^(?:guard|this)\.(?:refuse|unusual)$/.test(name);
  const given = refuses ? node.arguments?.[0] : undefined;
  return given === undefined ? [] : (literalsIn(given) ?? []);
}

/** Parts of a refusal that are put together, so that no catalogue knows the whole: `localizable` takes values. */
export function putTogetherIn(call: ts.CallExpression): ts.TemplateExpression[] {
  const given = calledIn(call) === 'fail' ? call.arguments[1] : undefined;
  const found: ts.TemplateExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node)) found.push(node);
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'cause') return;
    if (!(ts.isCallExpression(node) && calledIn(node) === 'localizable')) ts.forEachChild(node, visit);
  };
  if (given !== undefined) visit(given);
  return found;
}
