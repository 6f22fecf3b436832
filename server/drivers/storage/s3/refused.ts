/** The object store responded with an unexpected status; `code` is its error code. */
export class S3Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    request: { readonly method: string; readonly key: string },
  ) {
    super(`${request.method} ${request.key}: the object store responded with ${status} ${code}`.trimEnd());
    this.name = 'S3Refused';
  }
}
