/** The names of the fields of a rule and of a part in a form: where a refusal says that something is wrong. */
export const inRule = (index: number, name: string): string => `rules.${index}.${name}`;
export const inPart = (index: number, name: string): string => `split.${index}.${name}`;
