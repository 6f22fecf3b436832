import { KINDS, type Kind } from '../../../../routers/base/kinds.js';
import { translateMessage } from '../../../../routers/base/language/i18n.js';
import { count } from '../../format.js';
import { KIND_WORDS } from '../../kinds.js';
import { Figure } from '../parts.js';

/** A figure for each kind of item: how many there are. */
export const ItemFigures = ({ of }: { readonly of: (kind: Kind) => number }) => (
  <>
    {KINDS.map((kind) => (
      <Figure key={kind} label={translateMessage(KIND_WORDS[kind].title)} value={count(of(kind))} />
    ))}
  </>
);
