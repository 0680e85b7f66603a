// The checks of peers/haproxy/haproxy.cfg, by the WebCrypto of nginx's JavaScript.
const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

async function decide(request) {
  let isGood = false;
  try {
    isGood = await isValid((request.headersIn.Authorization || '').replace(/^Bearer /, ''));
  } catch (error) {
    request.error(error.message);
  }
  if (isGood) request.return(200, process.env.ANSWER);
  else request.return(403, '');
}

async function isValid(token) {
  const parts = token.split('.');
  // The algorithm is ours to say: what a token says about it is not asked. Each request has a JavaScript of its own, which
  // keeps no key of the last one.
  const key = await crypto.subtle.importKey('spki', Buffer.from(process.env.KEY, 'base64'), ALGORITHM, false, ['verify']);
  const isGenuine = await crypto.subtle.verify(ALGORITHM, key, Buffer.from(parts[2], 'base64url'), `${parts[0]}.${parts[1]}`);
  if (!isGenuine) return false;
  const claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
  const now = Date.now() / 1000;
  return claims.iat <= now + 60 && claims.exp > now && claims.aud === 'REF30' && claims.resourceID === 'TNT';
}

export default { decide };
