/** Procedures without a route of `/v1`: only the typed client and the pages call them. */
export const clientOnly: readonly string[] = [
  'admin.retryJobs',
  'auth.correctEmail',
  'auth.resetAddress',
  'auth.verifyLink',
  'email.attachment',
  'email.inbox',
  'email.message',
  'library.deletable',
  'library.deleteByLink',
  'library.deleteImages',
  'library.describe',
  'library.images',
  'library.pastes',
  'library.setPrivate',
  'library.urls',
  'playlist.title',
];
