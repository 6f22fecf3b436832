/** The address that returns the bytes of a file; it ends in the extension where the type of the file has one. */
export const bytesUrl = ({
  urlSet,
}: {
  readonly urlSet: { directUrl: string | null; rawUrl: string };
}): string => urlSet.directUrl ?? urlSet.rawUrl;
