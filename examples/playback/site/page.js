import {play, Refused} from './player.js';

const {media, standIn, proxy, run} = await (await fetch('addresses.json')).json();
const $ = (id) => document.getElementById(id);
const address = () => `${media}${$('stream').value}/master.m3u8`;
let playing;
$('proxy').textContent = proxy;

function step(text, kind) {
  const item = document.createElement('li');
  item.append(text);
  item.className = kind ?? '';
  $('steps').append(item);
  return item;
}

/** The token for a resource, as an application gets it from Adobe Pass; here from `examples/stand-in`. */
async function decide(resource) {
  const answer = await fetch(`${standIn}/api/v2/REF30/decisions/authorize/Sample_MVPD`, {
    method: 'POST', body: JSON.stringify({resources: [resource]}),
    headers: {'Authorization': 'Bearer any', 'AP-Device-Identifier': 'any', 'Content-Type': 'application/json'},
  });
  const decision = (await answer.json()).decisions?.[0];
  if (!decision?.token) throw new Error(decision?.error?.code ?? `no decision: ${answer.status}`);
  return decision.token.serializedToken;
}

async function start() {
  playing?.abort();
  playing = new AbortController();
  $('steps').replaceChildren();
  step('play');
  const token = await decide('TNT');
  step('Adobe Pass’s stand-in permits TNT, and gives a token', 'good');
  let first, rest, count = 0;
  const told = (url, answer) => {
    const said = `${url.pathname.split('/').pop()}: ${answer.status}`;
    if (!first && answer.ok) {
      const isAgain = sessionStorage.run === run;
      sessionStorage.run = run;
      return first = step(`${said}; ${isAgain ? 'cookies of an earlier start open it' : 'the token is used up, cookies come back'}`, 'good');
    }
    if (!answer.ok) return step(`${said} ${answer.headers.get('X-Media-Token-Reason') ?? ''}`, 'refused');
    rest ??= step('', 'good');
    rest.textContent = `${++count} more requests, each with the same token: opened by the cookies`;
  };
  const video = $('video');
  if ($('player').value === 'ours') return play(video, address(), token, told, playing.signal);
  const answer = await fetch(address(), {headers: {'X-Media-Token': token}, credentials: 'include'});
  told(new URL(address()), answer);
  if (!answer.ok) throw new Refused(answer);
  video.crossOrigin = 'use-credentials';
  video.src = address();
  step('the browser loads the rest by itself, with the cookies', 'good');
}

/** What someone else sees who has an address or a token, and no cookie. */
async function refusal(button, path, given, before = '') {
  const answer = await fetch(path, {headers: given ? {'X-Media-Token': given} : {}, credentials: 'omit', cache: 'no-store'});
  const output = document.querySelector(`output[for=${button}]`);
  output.textContent = before + (answer.ok ? `${answer.status}: it plays, and must not` : `refused: ${new Refused(answer).message}`);
  output.className = answer.ok ? '' : 'refused';
}

const on = (id, action) => $(id).addEventListener('click', () =>
  action().catch((error) => error.name === 'AbortError' || step(String(error.message), 'refused')));
on('play', start);
on('copied', () => refusal('copied', address()));
on('again', async () => {
  const copied = await decide('TNT');
  const first = await fetch(address(), {headers: {'X-Media-Token': copied}, credentials: 'omit', cache: 'no-store'});
  await refusal('again', address(), copied, `first ${first.status}, then `);
});
on('other', async () => refusal('other', address(), await decide('TBS')));
document.body.dataset.ready = 'yes';
