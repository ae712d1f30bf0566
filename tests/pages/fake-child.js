// The child's side of the contract, version 1, as far as a host can see it. The fragment says how
// it behaves: `mode=silent` never answers, `mode=asleep` answers when `wake()` is called,
// `mode=broken` reports an error instead; `high` is the first height it reports. What it hears is
// in `window.heard`: drivers see properties of the window, and no constants of a script.
window.heard = [];
window.say = (type, more) => parent.postMessage({ tokenyard: 1, type, ...more }, '*');
window.high = (height) => {
  say('resize', { height });
  parent.postMessage(JSON.stringify({ context: 'iframe.resize', height }), '*');
};
window.wake = () => {
  say('ready', { v: 1, lab: 'fake' });
  high(Number(asked.get('high') ?? 300));
};
const asked = new URLSearchParams(location.hash.slice(1));
addEventListener('message', ({ source, data }) => {
  if (source === parent && data?.tokenyard === 1) heard.push(data);
});
const mode = asked.get('mode');
if (mode === 'broken') say('error', { message: 'no WebAssembly here' });
else if (!['silent', 'asleep'].includes(mode)) wake();
