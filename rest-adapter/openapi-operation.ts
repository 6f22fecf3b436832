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

interface BodySchema {
  type?: unknown;
  readonly properties?: Json;
  readonly required?: readonly string[];
}

/** The name of an operation, by its method and its path below the prefix: `getPasteGetUniqueId`. */
export const operationIdOf = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replace(/[{}@]/g, '').replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`;
