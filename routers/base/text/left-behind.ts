/** Files and folders that file managers, phones and storage devices add. */
const LEFT_BEHIND =
  /(?:^|\/)(?:(?:__MACOSX|\.AppleDouble|\.Spotlight-V100|\.Trashes|\.Trash-\d+|\.fseventsd|\.thumbnails|@eaDir)(?:\/|$)|(?:\.trashed-|\.pending-)[^/]*(?:\/|$)|(?:\.DS_Store|\.localized|\.nomedia|Icon\r|\._[^/]*|(?:eh)?thumbs\.db|desktop\.ini)$)/i;

/** Whether a path is what a file manager or a phone left, which nobody means to publish. */
export const isLeftBehind = (path: string): boolean => LEFT_BEHIND.test(path.replaceAll('\\', '/'));

/** Whether a file or folder is hidden, or was left behind. */
export const isHidden = (name: string): boolean => name.startsWith('.') || isLeftBehind(name);
