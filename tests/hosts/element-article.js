// An article that uses the element of a site of another origin, and writes down what it hears of it.
// Scripts of some drivers see properties of the window only.
window.told = [];
for (const type of ['ready', 'state', 'event', 'key', 'error']) {
  addEventListener(`tokenyard-${type}`, ({ target, detail }) => told.push({ at: target.id, type, detail }));
}

// The element's script, from the other origin; resolves when it has run.
window.load = (address, attributes = {}) => new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement('script'), { src: address, ...attributes });
  script.addEventListener('load', () => resolve(true));
  script.addEventListener('error', () => reject(new Error(address)));
  document.head.append(script);
});

// One more element at the end of the article, or of another place in it.
window.add = (id, attributes = {}, place = 'place') => {
  const lab = document.createElement('tokenyard-lab');
  lab.id = id;
  for (const [name, value] of Object.entries(attributes)) lab.setAttribute(name, value);
  document.getElementById(place).append(lab);
};

// Pushes everything after it out of sight.
window.gap = () => {
  document.getElementById('place').append(Object.assign(document.createElement('div'), { className: 'far' }));
};

window.lab = (id) => document.getElementById(id);
window.part = (id, selector) => lab(id).shadowRoot.querySelector(selector);
window.frame = (id) => part(id, 'iframe');
window.heard = (id, type) => told.filter((one) => one.at === id && one.type === type).map(({ detail }) => detail);
