import type { ComponentChildren, VNode } from 'preact';
import { richly } from '../../routers/base/language/i18n.js';

/** What a text with elements is given: their values by name, and for each tag what makes the element around its words. */
type Inserted = Readonly<Record<string, ComponentChildren | ((inside: ComponentChildren) => VNode)>>;

/** A text with elements in it, in the language of the page that is being made. */
export const rich = (text: string, values: Inserted): ComponentChildren =>
  richly(text, values as Parameters<typeof richly<VNode>>[1]);
