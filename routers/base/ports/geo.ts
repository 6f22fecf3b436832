/** The country of an address as a code of two letters; null if it is not known. */
export type CountryOf = (address: string) => string | null;
