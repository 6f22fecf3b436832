/** One run of autocannon in a separate process, for machines without wrk. Prints the result as JSON. */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const BOUNDARY = 'holdall-bench';

const { request, seconds, seed, from } = JSON.parse(process.argv[2]);
const { url, connections, upload, json, apiKey, paths } = request;

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  timeout: 30,
  ...(upload === undefined ? {} : uploads(upload)),
  ...(json === undefined ? {} : bodies(json)),
  ...(paths === undefined ? {} : inTurn(paths)),
});

console.log(
  JSON.stringify({
    requests: result.requests.total,
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result.timeouts + result['4xx'] + result['5xx'],
  }),
);

/** Requests the paths of a file in order, repeatedly, like `paths.lua`. */
function inTurn({ file }) {
  const list = readFileSync(file, 'utf8').trim().split('\n');
  let place = from;
  const next = () => {
    const path = list[place % list.length];
    place += 1;
    return [{ method: 'GET', path }];
  };
  return {
    setupClient: (client) => {
      client.setRequests(next());
      client.on('response', () => client.setRequests(next()));
    },
  };
}

/** Writes eight new bytes before each request, like `upload.lua`. */
function uploads({ file, filename, contentType, varyAt }) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), readFileSync(file), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  const at = head.length + varyAt;
  let count = 0;
  const next = () => {
    count += 1;
    const fresh = Buffer.from(body);
    for (let place = 0; place < 4; place += 1) {
      fresh[at + place] = 1 + (Math.floor(seed / 250 ** place) % 250);
      fresh[at + 4 + place] = 1 + (Math.floor(count / 250 ** place) % 250);
    }
    return fresh;
  };
  return {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'x-api-key': apiKey ?? '' },
    setupClient: (client) => {
      client.setBody(next());
      client.on('response', () => client.setBody(next()));
    },
  };
}

/** A new JSON body for each request, like `json.lua`. */
function bodies(json) {
  let count = 0;
  const next = () => {
    count += 1;
    return json.replaceAll('SEED', seed).replaceAll('COUNT', count);
  };
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey ?? '' },
    setupClient: (client) => {
      client.setBody(next());
      client.on('response', () => client.setBody(next()));
    },
  };
}
