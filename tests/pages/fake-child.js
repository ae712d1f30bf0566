// The child's side of the contract, version 1, as far as a host can see it. The fragment says how
// it behaves: `mode=silent` never answers, `mode=asleep` answers when `wake()` is called,
// `mode=broken` reports an error instead; `high` is the first height it reports.
const host = window.parent;
const asked = new URLSearchParams(location.hash.slice(1));
const heard = [];
const say = (type, more) => host.postMessage({ tokenyard: 1, type, ...more }, '*');
addEventListener('message', ({ source, data }) => {
  if (source === host && data?.tokenyard === 1) heard.push(data);
});
function wake() {
  say('ready', { v: 1, lab: 'fake' });
  resize(Number(asked.get('high') ?? 300));
}
function resize(height) {
  say('resize', { height });
  host.postMessage(JSON.stringify({ context: 'iframe.resize', height }), '*');
}
const mode = asked.get('mode');
if (mode === 'broken') say('error', { message: 'no WebAssembly here' });
else if (!['silent', 'asleep'].includes(mode)) wake();
