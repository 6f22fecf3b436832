/**
 * A text in Markdown as HTML that a page can contain: headings from the second level on, lists, tables, quotes, code in
 * colours, and links. Nothing in it runs, loads or is styled by its author: HTML in the text is shown as text, and
 * pictures are links. Null for a text that is too long, takes too long, or arrives while many others are queued.
 * A notebook of Jupyter becomes the same, with its pictures, and with its HTML in frames in which nothing runs.
 */
export type RenderMarkdown = (text: string, form?: 'markdown' | 'notebook') => Promise<string | null>;
