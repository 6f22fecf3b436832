import { slice } from '../../source.js';
import { taggedAudio } from '../audio-tags/clean.js';
import { id3Cover } from '../audio-tags/covers.js';
import { leadingTagsEnd } from '../audio-tags/id3.js';
import type { FormatDriver } from '../format.js';
import { adtsFrame, isAac, isMp3, mpegFrame } from './read.js';

/** MP3; what is behind an ID3 tag need not be MP3. */
export const mp3: FormatDriver = {
  is: isMp3,
  async read(source, { tagged }) {
    const start = await leadingTagsEnd(source);
    const format = start === 0 ? null : await tagged(slice(source, start, source.size));
    return format === null ? {} : { format };
  },
  clean: taggedAudio(),
  hasCover: id3Cover,
  stream: { frame: mpegFrame, index: /Xing|Info|VBRI/ },
  demuxer: 'mp3',
};

/** AAC in ADTS frames. */
export const aac: FormatDriver = {
  is: isAac,
  clean: taggedAudio(),
  hasCover: id3Cover,
  stream: { frame: adtsFrame, index: null },
  id3Before: true,
  demuxer: 'aac',
};
