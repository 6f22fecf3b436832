/** Loaded by pages that show a diagram in Mermaid. */
import { drawIn } from './diagram/drawings.js';

drawIn(document);
