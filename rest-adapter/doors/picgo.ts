import { allowUpload } from '../../routers/features/image/allowance.js';
import { bytesUrl } from './address.js';
import { type Door, entrance, json, refuseForm } from './door.js';

/** What is no address, as plug-ins on the machine of the server send it. */
const isPath = (one: unknown): boolean => typeof one === 'string' && !/^\s*https?:\/\//i.test(one);

/** The server of PicGo, to which plug-ins of editors send pictures. */
export const picgo: Door = {
  entrances: [
    entrance('POST', '/upload', {
      procedures: ['upload.several'],
      body: 'files',
      admit: allowUpload,
      answer: async ({ call, wire: { body, parts = [] } }) => {
        const urls = body.list('list');
        if (Array.isArray(urls) && urls.some(isPath))
          return refuseForm(
            'Files of another machine cannot be read by their paths: send the files, or addresses',
          );
        const images = await call('upload.several', { files: parts.map(({ upload }) => upload), urls });
        return json({ success: true, result: images.map(bytesUrl) });
      },
    }),
  ],
  keyIn: (fields) => fields.text('key'),
  refuse: ({ status, message }) => json({ success: false, message }, status),
};
