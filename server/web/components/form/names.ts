/** The name of a field in an entry of a list: where a refusal says that something is wrong. */
export const inEntry = (list: string, index: number, name: string): string => `${list}.${index}.${name}`;
