/** A Message-Id as callers give it, in the form in which it is stored: without angle brackets and space around. */
export const plainMessageId = (given: string): string => given.trim().replace(/^<(.*)>$/, '$1');
