// Plays HLS over MediaSource. On the wire it does what hls.js does with xhrSetup: the token goes along with every
// request, also with those that the cookies of the first answer open.

/** A proxy's answer that is no media. */
export class Refused extends Error {
  constructor(answer) {
    const said = (name) => answer.headers.get(`X-Media-Token-${name}`);
    super([answer.status, said('Reason'), said('Action') && `action ${said('Action')}`].filter(Boolean).join(', '));
  }
}

/** @param {(address: URL, answer: Response) => void} told is called with every answer. */
export async function play(video, address, token, told, signal) {
  const ask = async (url) => {
    const answer = await fetch(url, {headers: {'X-Media-Token': token}, credentials: 'include', cache: 'no-store', signal});
    told(url, answer);
    if (!answer.ok) throw new Refused(answer);
    return answer;
  };
  const master = await (await ask(new URL(address))).text();
  const playlist = new URL(master.split('\n').find((line) => line && !line.startsWith('#')), address);
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await event(source, 'sourceopen');
  let buffer;
  const append = (bytes) => (buffer.appendBuffer(bytes), event(buffer, 'updateend'));
  const ahead = () => buffer.buffered.length ? buffer.buffered.end(buffer.buffered.length - 1) - video.currentTime : 0;
  const keys = {};
  let next, started;
  for (;;) {
    const list = parse(await (await ask(playlist)).text(), playlist);
    // A live stream is begun near its end (RFC 8216, section 6.3.3).
    next ??= list.ended ? list.first : Math.max(list.first, list.first + list.segments.length - 3);
    if (!buffer) {
      // Fragmented MP4, or else a transport stream, which some browsers have to be given as MP4, as hls.js does.
      const type = `video/${list.map ? 'mp4' : 'mp2t'}; codecs="${/CODECS="([^"]+)"/.exec(master)[1]}"`;
      if (!MediaSource.isTypeSupported(type)) throw new Error(`this browser plays no ${type}`);
      buffer = source.addSourceBuffer(type);
      if (list.map) await append(await (await ask(list.map)).arrayBuffer());
    }
    for (const [index, {url, key}] of list.segments.entries()) {
      const number = list.first + index;
      if (number < next) continue;
      let bytes = await (await ask(url)).arrayBuffer();
      if (key) bytes = await decrypt(bytes, key, keys[key.url] ??= await (await ask(key.url)).arrayBuffer());
      await append(bytes);
      next = number + 1;
      if (!started) [started, video.currentTime] = [true, buffer.buffered.start(0)];
      while (ahead() > 20) await pause(200, signal);
    }
    if (list.ended) return source.endOfStream();
    await pause(1000, signal);
  }
}

function parse(text, base) {
  const list = {first: 0, segments: [], ended: false};
  let key;
  for (const line of text.split('\n')) {
    const uri = /URI="([^"]+)"/.exec(line);
    if (line.startsWith('#EXT-X-MAP:')) list.map = new URL(uri[1], base);
    else if (line.startsWith('#EXT-X-KEY:')) {
      const iv = /IV=0x([0-9a-fA-F]{32})/.exec(line)[1];
      key = {url: new URL(uri[1], base), iv: Uint8Array.from(iv.match(/../g), (digits) => parseInt(digits, 16))};
    }
    else if (line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) list.first = Number(line.split(':')[1]);
    else if (line.startsWith('#EXT-X-ENDLIST')) list.ended = true;
    else if (line && !line.startsWith('#')) list.segments.push({url: new URL(line, base), key});
  }
  return list;
}

/** AES-128 (RFC 8216, section 5.2), whose IV the playlist must say. */
async function decrypt(bytes, {iv}, key) {
  return crypto.subtle.decrypt({name: 'AES-CBC', iv}, await crypto.subtle.importKey('raw', key, 'AES-CBC', false, ['decrypt']), bytes);
}

const event = (target, name) => new Promise((resolve, reject) => {
  target.addEventListener(name, resolve, {once: true});
  target.addEventListener('error', () => reject(new Error(`no ${name}`)), {once: true});
});

const pause = (milliseconds, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), {once: true});
});
