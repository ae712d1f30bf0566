// An article that embeds labs by hand: it keeps every message, and follows heights as it is told to.
// Scripts of some drivers see functions only.
const said = [];
let follow = true;
let extra = 0;

addEventListener('message', ({ source, data }) => {
  const frames = [...document.querySelectorAll('iframe')];
  const at = frames.findIndex(frame => frame.contentWindow === source);
  said.push({ at, data });
  if (follow && data?.tokenyard === 1 && data.type === 'resize') {
    frames[at].style.height = `${data.height + extra}px`;
  }
});

// Adds a frame; resolves at its load event, or at once if it is lazy.
function add(src, attributes = {}) {
  const frame = document.createElement('iframe');
  frame.title = `Lab ${document.querySelectorAll('iframe').length}`;
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  return new Promise(resolve => {
    frame.addEventListener('load', () => resolve(true), { once: true });
    frame.src = src;
    document.getElementById('place').append(frame);
    if (attributes.loading === 'lazy') resolve(true);
  });
}

// Pushes everything after it out of sight.
function gap() {
  const far = document.createElement('div');
  far.className = 'far';
  document.getElementById('place').append(far);
}

function send(at, message) {
  document.querySelectorAll('iframe')[at].contentWindow.postMessage({ tokenyard: 1, ...message }, '*');
}

// What frame `at` said of one kind, oldest first.
function heard(at, type) {
  return said.filter(one => one.at === at && one.data?.type === type).map(one => one.data);
}

// The last height in the other form.
function embedly() {
  return JSON.parse(said.filter(one => typeof one.data === 'string').at(-1).data).height;
}

// Whether heights are followed, and by how many pixels too many.
function followHeights(whether, pixels = 0) {
  [follow, extra] = [whether, pixels];
}
