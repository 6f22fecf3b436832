import { allowTool, refuseVideo } from '../../routers/tools/index.js';
import { done } from '../reply/reply.js';
import { route } from '../route.js';
import type { Wire } from '../wire.js';

const originOf = (wire: Wire) => wire.header('origin');

/** Changes of files that are sent back and not stored. */
export const toolRoutes = [
  route('POST', '/tools/image/{tool}', {
    procedure: 'tools.image',
    summary:
      'Change a picture: resize, compress, convert, crop, rotate, flip, blur, sharpen, grayscale, brightness, watermark, strip-metadata',
    body: 'file',
    admit: (ctx, wire) => allowTool(ctx, originOf(wire)),
    errors: [400, 401, 403, 413, 429],
    textErrors: true,
    responds: { kind: 'content' },
    read: (wire) => ({
      tool: wire.params.tool as never,
      file: wire.file as never,
      origin: originOf(wire),
      width: wire.body.number('width'),
      height: wire.body.number('height'),
      mode: wire.body.word('mode') as never,
      maintainAspect: wire.body.boolean('maintainAspect'),
      quality: wire.body.number('quality'),
      format: wire.body.filled('format'),
      x: wire.body.number('x'),
      y: wire.body.number('y'),
      w: wire.body.number('w'),
      h: wire.body.number('h'),
      angle: wire.body.number('angle'),
      direction: wire.body.word('direction') as never,
      radius: wire.body.number('radius'),
      amount: wire.body.number('amount'),
      brightness: wire.body.number('brightness'),
      contrast: wire.body.number('contrast'),
      saturation: wire.body.number('saturation'),
      text: wire.body.text('text'),
      position: wire.body.word('position') as never,
      opacity: wire.body.number('opacity'),
      size: wire.body.number('size'),
    }),
    reply: ({ path, size, mimeType, filename }) => ({ as: 'file', path, size, mimeType, filename }),
  }),
  route('POST', '/tools/video/{tool}', {
    procedure: 'tools.video',
    summary: 'Change a video; not available on this server',
    body: 'file',
    admit: (ctx, wire) => refuseVideo(ctx, originOf(wire)),
    errors: [400, 401, 403, 501],
    textErrors: true,
    responds: { kind: 'done' },
    read: (wire) => ({ tool: wire.params.tool ?? '', origin: originOf(wire) }),
    reply: () => done({}),
  }),
];
