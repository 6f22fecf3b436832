/** The code of a system, driver or library error, such as `ENOENT`; '' if it has none. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
