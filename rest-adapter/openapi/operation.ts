/** A part of the document. */
export type Json = Record<string, unknown>;

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Json;
}

/** An operation as the generator creates it. */
export interface Operation extends Json {
  responses: Json;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: BodySchema }> };
}

/** The schema of a request body, or a reference to one. */
export interface BodySchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

/** The name of an operation, by its method and its path below the prefix: `getPasteGetUniqueId`. */
export const operationIdOf = (method: string, path: string): string =>
  path === '/' ? `${method.toLowerCase()}Root` : nameOf(method, path);

const nameOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replace(/[{}@]/g, '').replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`;
