/** A text as `RenderMarkdown` made it. */
export function Prose({ html }: { readonly html: string }) {
  // Rendered by the Markdown port, which lets no HTML of the author through.
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
