// Frames `src` and resolves at the frame's load event.
function show({ src, width, height, sandbox }) {
  const frame = document.createElement('iframe');
  frame.title = 'The site under test';
  frame.style.cssText = `width:${width}px;height:${height}px;border:0`;
  if (sandbox !== null) frame.setAttribute('sandbox', sandbox);
  return new Promise(resolve => {
    frame.addEventListener('load', resolve, { once: true });
    frame.src = src;
    document.getElementById('place').replaceChildren(frame);
  });
}
