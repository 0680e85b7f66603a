// Other people's players, each of which sends the token with every request.

window.players = {
  hls(video, address, token, more = {}) {
    const hls = new Hls({...more, xhrSetup: (request) => {
      request.withCredentials = true;
      request.setRequestHeader('X-Media-Token', token);
    }});
    hls.on(Hls.Events.ERROR, (_, error) => {
      if (error.fatal) window.failure = `${error.details} ${error.response?.code}`;
    });
    hls.loadSource(address);
    hls.attachMedia(video);
  },
  videojs(video, address, token) {
    videojs.Hls.xhr.beforeRequest = (options) => {
      options.headers = {...options.headers, 'X-Media-Token': token};
      return options;
    };
    const player = videojs(video, {html5: {hls: {overrideNative: true, withCredentials: true}, nativeAudioTracks: false, nativeVideoTracks: false}});
    player.on('error', () => window.failure = player.error().message);
    player.src({src: address, type: 'application/x-mpegURL'});
  },
};

/** A token, as the page gets it. */
window.decide = async (resource) => {
  const {standIn} = await (await fetch('addresses.json')).json();
  const answer = await fetch(`${standIn}/api/v2/REF30/decisions/authorize/Sample_MVPD`, {
    method: 'POST', body: JSON.stringify({resources: [resource]}),
    headers: {'Authorization': 'Bearer any', 'AP-Device-Identifier': 'any', 'Content-Type': 'application/json'},
  });
  return (await answer.json()).decisions[0].token.serializedToken;
};
