import type { VNode } from 'preact';
import type { Fields } from '../../../rest-adapter/fields.js';
import type { bind } from '../components/form/form.js';
import type { Script } from '../components/page/page.js';
import type { PageRequest } from '../request.js';

type Call = PageRequest['call'];

/** What names an item; links also have an id that is their own on all hosts. */
interface Named {
  readonly uniqueId: string;
  readonly fullId?: string | undefined;
}

/** The id by which pages name an item. */
export const pageIdOf = ({ uniqueId, fullId = uniqueId }: Named): string => fullId;

/** What every record has that can be edited. */
interface EditedRecord extends Named {
  readonly revision: number;
  readonly isPublic: boolean;
  readonly requiresPassword: boolean;
  readonly expiresAt: string | null;
  readonly tags: readonly string[];
  readonly aliases?: readonly string[] | undefined;
}

/** An item on its edit page: its record, and the fields that only its kind has. */
export interface Edited {
  readonly record: EditedRecord;
  /** What its fields need. */
  readonly scripts?: readonly Script[];
  /** Whether one of them is a text that needs the room of a whole page. */
  readonly hasText?: boolean;
  /** What is edited, to look at beside its fields. */
  readonly preview?: VNode;
  fields(form: ReturnType<typeof bind>): VNode;
  /** The fields that end it besides its last moment, and those that few need. */
  ends?(form: ReturnType<typeof bind>): VNode;
  further?(form: ReturnType<typeof bind>): VNode;
}

/** The fields of a form that items of every kind have, as a change of the item. */
interface CommonFields {
  readonly newId: string | undefined;
  readonly ifMatch: string | undefined;
  readonly private: boolean;
  readonly password?: string | null | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly tags: string[];
}

/** How the edit page of a kind reads and changes an item. */
export interface Editing {
  /** Whether its bytes can be replaced. */
  readonly hasFile: boolean;
  /** Whether only administrators choose its id. */
  readonly idsByAdministrators: boolean;
  open(call: Call, uniqueId: string): Promise<Edited>;
  change(call: Call, uniqueId: string, common: CommonFields, body: Fields): Promise<Named>;
}

/** A moment as its field shows it: in UTC, to the minute. */
export const shownMoment = (at: string | null): string => at?.slice(0, 16) ?? '';

/** The common fields of a sent form. */
export function commonFields(body: Fields): CommonFields {
  const password = body.string('password');
  const removes = body.boolean('removePassword') === true;
  const expiresAt = body.string('expiresAt').trim();
  return {
    newId: body.filled('uniqueId'),
    ifMatch: body.filled('revision'),
    private: body.boolean('private') ?? false,
    password: password !== '' ? password : removes ? null : undefined,
    // What was not touched stays to the second, even if it is over.
    expiresAt: expiresAt === body.string('shownExpiresAt') ? undefined : expiresAt || null,
    tags: body
      .string('tags')
      .split(',')
      .filter((tag) => tag.trim() !== ''),
  };
}
