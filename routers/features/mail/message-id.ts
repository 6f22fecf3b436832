/** A Message-Id in the form in which it is stored: without angle brackets and surrounding spaces. */
export const plainMessageId = (given: string): string => given.trim().replace(/^<(.*)>$/, '$1');
