/** What pages and their scripts agree on: types only, so that a name which one of them lacks does not compile. */

/** What can be done with a file or folder that is being sent: `data-…` marks its button. */
export type RowAction =
  | 'start'
  | 'open'
  | 'change'
  | 'copy'
  | 'sign-in'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'remove'
  | 'take-back'
  | 'cancel';
