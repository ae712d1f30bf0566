// A lab in a slide keeps the keys that it uses and hands the others on: the remote control goes on
// turning slides, whatever was clicked last.
Reveal.initialize({ hash: true, width: 1060, height: 720, margin: 0.02 });

const turn = {
  ArrowRight: () => Reveal.right(),
  ArrowLeft: () => Reveal.left(),
  ArrowDown: () => Reveal.down(),
  ArrowUp: () => Reveal.up(),
  PageDown: () => Reveal.next(),
  PageUp: () => Reveal.prev(),
  ' ': () => Reveal.next(),
  Home: () => Reveal.slide(0),
  End: () => Reveal.slide(Reveal.getTotalSlides() - 1),
};

// From elements.
addEventListener('tokenyard-key', ({ detail }) => turn[detail.key]?.());

// From plain frames: only what one of them said counts.
addEventListener('message', ({ source, data }) => {
  if (data?.tokenyard !== 1 || data.type !== 'key') return;
  const frame = [...document.querySelectorAll('.slides iframe')].find((one) => one.contentWindow === source);
  if (!frame) return;
  if (data.key === 'Escape') {
    frame.blur();
    window.focus();
  } else {
    turn[data.key]?.();
  }
});
