/** The code that the system, a driver or a library put on an error, `ENOENT` for instance; '' where there is none. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
