/** The server of an upload and the caller's key. */
export interface UploadTarget {
  readonly origin: string;
  readonly apiKey: string | null;
  /** The language of its refusals, unless there is a key, whose answers are always English; English by default. */
  readonly language?: string;
}

/** Asks for answers in the language of this package, and not in that of the browser, unless the caller has another one. */
export const languageOf = ({ language = 'en' }: UploadTarget): Record<string, string> => ({
  'Accept-Language': language,
});

/** Who sends a request, and in what language they read the answer. */
export const headersFor = (target: UploadTarget): Record<string, string> => ({
  ...languageOf(target),
  ...(target.apiKey === null ? {} : { 'X-API-Key': target.apiKey }),
});
