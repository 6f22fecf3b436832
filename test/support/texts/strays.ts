/** Texts for readers that stand in the sources without being said or marked, so that no catalogue knows them. */
import ts from '@typescript/typescript6';
import { hasContext, parse, placeOf, refusalIn, textOf } from './extract.js';

/** Attributes whose values are no words. */
const NOT_WORDS =
  /^(?:class|content|href|src|srcset|sizes|name|value|id|type|d|viewBox|accept|autocomplete|rel|action|method|for|form|look|icon|kind|shell|width|height|target|role|lang|dir|http-equiv|charset|property|media|loading|preload|fill|stroke|shape-rendering|preserveAspectRatio|pattern|inputmode|sandbox|referrerpolicy|scope|wrap|key|style|empty-icon|data-(?!confirm|label).*|aria-(?!label$|description$|valuetext$|placeholder$|roledescription$).*|xmlns)$/;
/** Elements that hold names and code. */
const CODE = new Set(['code', 'kbd', 'samp', 'pre', 'style']);
/** Functions whose arguments are names of headers, fields and the like. */
const NAMING =
  /^(?:set|get|has|header|headerOf|vary|append|delete|text|string|raw|boolean|list|integer|number|every|startsWith|endsWith|includes|split|join|replace|replaceAll|indexOf|Error|TypeError|RegExp|URL|querySelector|querySelectorAll|closest|matches|getElementById|addEventListener|DateTimeFormat|NumberFormat|DisplayNames|setRequestHeader|matchMedia)$/;
/** Properties of elements that a script sets, and that are no words. */
const STYLING = /\.(?:className|transform|style\.\w+)$/;

/** Whether a text has words for a reader: two of them, or one with a capital letter. */
export const hasWords = (text: string): boolean =>
  /\p{L}{2,}[,:;]? +[\p{L}\d“"(]|[\p{L}\d”")][,:;]? +\p{L}{2,}/u.test(text) ||
  /^\s*\p{Lu}\p{Ll}+(?:-\p{Ll}+)*[.…:?!]?\s*$/u.test(text);

/** Whether a part of a template has words: also one of them, beside a value. */
const hasWordsBeside = (text: string): boolean =>
  hasWords(text) || /(?:^|\s)\p{L}{2,}(?:\s|$|[.,:;!?])/u.test(text);

const isKey = (node: ts.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) || ts.isPropertySignature(node.parent)) && node.parent.name === node;

/** Whether a text at this place is for programs: a name, a type, an address, an error for the log. */
function isForPrograms(node: ts.Node): boolean {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isTypeNode(parent))
      return true;
    if (ts.isJsxAttribute(parent)) return NOT_WORDS.test(parent.name.getText());
    if (ts.isCallExpression(parent) && at !== parent.expression) {
      if (refusalIn(parent).some((text) => text === (at as Partial<ts.StringLiteral>).text)) return true;
      const text = textOf(parent);
      if (text !== null) return at === text || (hasContext(parent) && at === parent.arguments[0]);
      const name = ts.isPropertyAccessExpression(parent.expression)
        ? parent.expression.name.text
        : parent.expression.getText();
      if (NAMING.test(name)) return true;
    }
    if (ts.isNewExpression(parent) && NAMING.test(parent.expression.getText().split('.').at(-1) ?? ''))
      return true;
    if (ts.isCaseClause(parent) && parent.expression === at) return true;
    if (ts.isBinaryExpression(parent) && at === parent.right && STYLING.test(parent.left.getText()))
      return true;
    if (ts.isElementAccessExpression(parent) && parent.argumentExpression === at) return true;
    if (
      ts.isBinaryExpression(parent) &&
      /^(?:===|!==|in)$/.test(parent.operatorToken.getText()) &&
      ts.isStringLiteral(at)
    )
      return true;
    if (ts.isStatement(parent) || ts.isFunctionLike(parent)) return false;
  }
  return false;
}

const isChild = (node: ts.Node): boolean => {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isJsxExpression(at)) return ts.isJsxElement(at.parent) || ts.isJsxFragment(at.parent);
    if (!ts.isConditionalExpression(at) && !ts.isParenthesizedExpression(at) && !ts.isBinaryExpression(at))
      return false;
  }
  return false;
};

/** Whether a text is compared, and not shown. */
const isCompared = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node.parent) && /^[=!]==$/.test(node.parent.operatorToken.getText());

/** Whether a node is a text for readers. */
export function isForReaders(node: ts.Node): boolean {
  if (ts.isJsxText(node)) {
    const parent = node.parent;
    const name = ts.isJsxElement(parent) ? parent.openingElement.tagName.getText() : '';
    return /\p{L}/u.test(node.text.replace(/&\w+;/g, '')) && !CODE.has(name);
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    if (isKey(node) || isCompared(node)) return false;
    const shown = isChild(node) && /\p{L}/u.test(node.text);
    return (shown || hasWords(node.text)) && !isForPrograms(node);
  }
  if (ts.isTemplateExpression(node)) {
    const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    // HTML, whose words are said in its values.
    if (parts[0]?.startsWith('<')) return false;
    return parts.some(hasWordsBeside) && !isForPrograms(node);
  }
  return false;
}

/** A text that no catalogue knows. */
export interface Stray {
  readonly place: string;
  readonly text: string;
}

/** The texts of a file that are neither said nor marked. */
export function straysIn(path: string): Stray[] {
  const strays: Stray[] = [];
  const visit = (node: ts.Node): void => {
    if (isForReaders(node)) strays.push({ place: placeOf(node), text: node.getText().trim() });
    ts.forEachChild(node, visit);
  };
  visit(parse(path));
  return strays;
}
