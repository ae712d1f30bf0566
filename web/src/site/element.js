// <tokenyard-lab lab="…">: a lab of Tokenyard in a page of somebody else. The lab itself runs in a
// frame; this script builds the frame's address, follows the page's colours and language, gives
// the frame its height, and hands messages on. It works as a classic script and as a module.
(() => {
  'use strict';
  const NAME = 'tokenyard-lab';
  // Loaded twice, or in two versions: the first one stays.
  if (!globalThis.customElements || customElements.get(NAME)) return;
  // Where this script lies is where the site lies. A module has no currentScript, and asking
  // import.meta would be an error in a classic script; a module that another one imports is no
  // element of the page either, but the browser has a note of every file that it fetched.
  const isOwn = (src) => /\/element\.js([?#]|$)/.test(src);
  const own =
    document.currentScript?.src ||
    [...document.scripts].map(({ src }) => src).findLast(isOwn) ||
    performance.getEntriesByType('resource').map(({ name }) => name).findLast(isOwn);
  // Attributes that are no parameters of a lab: those of this element, and those that any element
  // of HTML may have. Handlers (`onclick`) are told by the element itself: `only` is a parameter.
  const RESERVED = new Set(
    ('lab state ui theme lang loading height autoheight poster controls base title credentialless ' +
      'id class style slot part exportparts is hidden inert dir tabindex role nonce translate accesskey ' +
      'draggable contenteditable spellcheck writingsuggestions autocapitalize autocorrect autofocus ' +
      'enterkeyhint inputmode popover anchor itemid itemprop itemref itemscope itemtype ' +
      'allow sandbox src width').split(' '),
  );
  const PARAMETER = /^(?!(?:data|aria|v|x|ng)-)[a-z][a-z0-9.-]*$/;
  const KEYS = [' ', ...'Escape ArrowLeft ArrowRight ArrowUp ArrowDown PageUp PageDown Home End'.split(' ')];
  const [LOWEST, FIRST_HEIGHT, HIGHEST] = [80, 520, 10_000];
  // A page whose height follows its frame's would grow for ever. Whoever grows this often with less
  // than a second between and at one width is not believed any more.
  const GROWTHS = 40;
  const QUIET = 1000;
  // A file of ours speaks before it has loaded, so one that says nothing this long after, while it can be
  // seen, is none. One that does not come is given longer.
  const PATIENCE = 3000;
  const SLOW = 20_000;
  const WORDS = {
    start: { en: 'Start the lab', ja: 'ラボを開始' },
    wait: { en: 'Starting…', ja: '開始しています…' },
    open: { en: 'Open the lab in its own page', ja: 'ラボを単独のページで開く' },
    slow: { en: 'The lab did not start here.', ja: 'ここではラボを開始できませんでした。' },
    stopped: { en: 'The lab stopped:', ja: 'ラボが停止しました:' },
    setup: { en: 'The name of a lab or the address of Tokenyard is missing.', ja: 'ラボの名前か Tokenyard のアドレスがありません。' },
  };
  // Constructed sheets are no inline styles: a policy of `style-src 'self'` lets them be.
  const SHEET = new CSSStyleSheet();
  SHEET.replaceSync(`
    :host { display: block; margin-block: 1em; }
    :host([hidden]), .paper, .box:not(.waiting) :is(.poster, .front) { display: none; }
    .box { position: relative; }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    .waiting.pictured iframe, .failed iframe { opacity: 0; }
    img { width: 100%; object-fit: contain; }
    .poster, .front { position: absolute; inset: 0; height: 100%; }
    .front { display: grid; place-content: center; pointer-events: none; }
    .front > * { pointer-events: auto; font: inherit; color: CanvasText; background: Canvas; padding: .5em 1em; }
    button { border: 2px solid; border-radius: .4em; min-height: 44px; cursor: pointer; }
    p { margin: 0; border: 1px solid; overflow-wrap: anywhere; }
    @media print {
      .box { height: auto !important; break-inside: avoid; }
      .paper { display: block; max-height: 90vh; }
      iframe, .poster, .front { display: none !important; }
    }
  `);
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  // Whether a computed colour is a dark one; nothing if it lets through what is behind. The
  // threshold is a lightness of one half, in whatever way the colour is written.
  const isDark = (color) => {
    const [, kind, inner] = /^(\w+)\((?:[a-z][\w-]* )?(.*)\)$/.exec(color) ?? [];
    const [a, b, c, alpha = 1] = (inner ?? '').replaceAll('none', '0').match(/-?[\d.]+(?:e-?\d+)?/g) ?? [];
    if (c === undefined || alpha < 0.5) return;
    if (/^ok/.test(kind)) return a < 0.57;
    if (/^l/.test(kind)) return a < 50;
    const [r, g, bl] = [a, b, c].map((part) => (part / (/^rgb/.test(kind) ? 255 : 1)) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl < 0.18;
  };
  // The element and everything around it, out of shadow trees too.
  const outwards = (element) => {
    const all = [];
    for (let node = element; node; node = node.assignedSlot ?? node.parentNode ?? node.host) {
      if (node instanceof Element) all.push(node);
    }
    return all;
  };
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  // The page's colours: the nearest background that covers what is behind it. A picture covers
  // too, and then the words on it tell. Without any the browser's own canvas is seen.
  const themeAround = (element) => {
    for (const node of outwards(element)) {
      const { backgroundColor, backgroundImage, color } = getComputedStyle(node);
      const dark = isDark(backgroundColor) ?? (backgroundImage === 'none' ? undefined : !isDark(color));
      if (dark !== undefined) return dark ? 'dark' : 'light';
    }
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    return /dark/.test(scheme) && (!/light/.test(scheme) || prefersDark.matches) ? 'dark' : 'light';
  };

  class TokenyardLab extends HTMLElement {
    // What the child was told by its address, what it was told since, and what it should know.
    #addressed = {};
    #told = {};
    #want = {};
    // State and height as the attributes said them last; the reader's own are elsewhere.
    #written; #first;
    #page; #frame;
    #ready = false;
    // Unknown until the observer has said it: a lab that answers sooner is not paused for that.
    #inView;
    #timer; #patience;
    #action; #ends;
    #growth = { width: 0, times: 0, last: 0 };
    #changes = new MutationObserver(() => this.#refresh());
    #view = new IntersectionObserver((entries) => this.#seen(entries.at(-1).isIntersecting));
    #near = new IntersectionObserver(
      (entries) => entries.at(-1).isIntersecting && this.getAttribute('loading') !== 'click' && this.#start(),
      { rootMargin: '100%' },
    );
    #box = make('div', { className: 'box waiting' });
    #poster = make('img', { className: 'poster', alt: '' });
    #paper = make('img', { className: 'paper', alt: '' });
    #front = make('div', { className: 'front' });
    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [SHEET];
      root.append(this.#box);
      this.#box.append(this.#poster, this.#paper, this.#front);
      this.#poster.addEventListener('error', () => this.#picture(false));
      this.#poster.addEventListener('load', () => this.#picture(true));
    }
    // The lab's present state, as a fragment without `#`.
    get link() { return this.#want.state ?? this.#fragment(); }
    // Plays as soon as the lab can, and starts the lab for that.
    play() {
      this.#act('play');
      this.#start();
    }
    pause() { this.#act('pause'); }
    // Into the lab, or to the button that starts it. Nothing here calls this by itself.
    focus(options) {
      if (!this.#ready) return void this.#front.querySelector('button')?.focus(options);
      this.#frame.focus(options);
      this.#post('focus');
    }
    connectedCallback() {
      this.#ends = new AbortController();
      const { signal } = this.#ends;
      const refresh = () => this.#refresh();
      addEventListener('message', (event) => this.#hear(event), { signal });
      prefersDark.addEventListener('change', refresh, { signal });
      // Styles that come late, and colours that change slowly.
      addEventListener('load', refresh, { signal });
      const slowly = ({ propertyName }) => /color|background/.test(propertyName) && refresh();
      document.addEventListener('transitionend', slowly, { signal });
      this.connectedMoveCallback();
      this.#look();
    }
    // A move that keeps the frame alive needs only the new surroundings.
    connectedMoveCallback() {
      this.#changes.disconnect();
      for (const node of outwards(this)) this.#changes.observe(node, { attributes: true });
      this.#refresh();
    }
    disconnectedCallback() {
      this.#ends.abort();
      for (const observer of [this.#changes, this.#view, this.#near]) observer.disconnect();
      this.#close();
    }
    // Asks anew whether the element is in view and near it.
    #look() {
      for (const observer of [this.#view, this.#near]) {
        observer.disconnect();
        observer.observe(this);
      }
    }
    // Reads attributes and surroundings, and does what differs from before.
    #refresh() {
      const page = this.#pageAddress();
      if (page?.href !== this.#page?.href) {
        if (page?.pathname !== this.#page?.pathname) this.#written = undefined;
        this.#page = page;
        this.#close();
        this.#look();
      }
      const written = this.#fragment();
      if (written !== this.#written) this.#want.state = this.#written = written;
      this.#want.lang = this.#language();
      const asked = this.getAttribute('theme');
      this.#want.theme = ['light', 'dark', 'system'].includes(asked) ? asked : themeAround(this);
      const first = parseFloat(this.getAttribute('height')) || FIRST_HEIGHT;
      if (first !== this.#first) this.#height((this.#first = first));
      this.#box.style.colorScheme = this.#want.theme.replace('system', 'light dark');
      this.#box.lang = this.#want.lang ?? 'en';
      if (!page) return this.#front.firstChild || this.#say(this.#word('setup'));
      this.#pictures();
      this.#dress();
      const loading = this.getAttribute('loading');
      if (loading === 'eager') this.#start();
      if (loading === 'click') this.#offer();
      this.#sync();
    }
    // The site's folder, if it is known and is an address of files.
    #base() {
      const asked = this.getAttribute('base');
      try {
        const url = asked ? new URL(`${asked.replace(/\/*$/, '')}/`, document.baseURI) : new URL('.', own);
        if (/^(https?|file):$/.test(url.protocol)) return url;
      } catch {}
      return undefined;
    }
    // The frame's page, without what messages can change later.
    #pageAddress() {
      const lab = this.getAttribute('lab');
      const base = this.#base();
      if (!base || !/^[a-z0-9-]+$/.test(lab ?? '')) return undefined;
      const url = new URL(`embed/${lab}/`, base);
      const ui = this.getAttribute('ui');
      url.searchParams.set('ui', ['full', 'player', 'figure'].includes(ui) ? ui : 'lab');
      const controls = this.getAttribute('controls');
      if (controls !== null) url.searchParams.set('controls', controls.replace(/\s/g, ''));
      return url;
    }
    // The state first, then single parameters, which win.
    #fragment() {
      const parts = new Map();
      for (const part of (this.getAttribute('state') ?? '').replace(/^#/, '').split('&')) {
        if (part) parts.set(part.split('=', 1)[0], part);
      }
      for (const { name, value } of this.attributes) {
        const handler = name.startsWith('on') && name in this;
        if (RESERVED.has(name) || handler || !PARAMETER.test(name) || !value) continue;
        parts.set(name, `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
      }
      return [...parts.values()].join('&');
    }
    // The primary language of the attribute or of the page, if the lab has it.
    #language() {
      const { lang = '' } = outwards(this).find((node) => node.lang) ?? {};
      const primary = lang.split('-')[0].toLowerCase();
      return Object.hasOwn(WORDS.start, primary) ? primary : undefined;
    }
    #word(key) { return WORDS[key][this.#box.lang]; }
    #title() {
      return this.getAttribute('title') || `Tokenyard: ${this.getAttribute('lab').replaceAll('-', ' ')}`;
    }
    // One picture for the screen until the lab is there, and a light one for paper.
    #pictures() {
      const set = (image, theme) => {
        const named = this.getAttribute('poster')?.replaceAll('{theme}', theme);
        const file = named || `figures/${this.getAttribute('lab')}-${theme}.svg`;
        const { href } = new URL(file, named ? document.baseURI : this.#base());
        if (image.src !== href) image.src = href;
        image.alt = this.#title();
      };
      set(this.#paper, 'light');
      const { theme } = this.#want;
      const seen = theme === 'system' ? (prefersDark.matches ? 'dark' : 'light') : theme;
      if (!this.#ready) set(this.#poster, seen);
    }
    // Without a picture the frame's own first drawing is what is seen until the lab is there.
    #picture(there) {
      this.#poster.hidden = !there;
      this.#box.classList.toggle('pictured', there);
      if (this.#frame) this.#frame.inert = there && !this.#ready;
    }
    // A button over the picture, for pages that fetch nothing unasked.
    #offer() {
      if (this.#frame || this.#front.firstChild) return;
      const button = make('button', { type: 'button', textContent: this.#word('start') });
      button.addEventListener('click', () => {
        button.textContent = this.#word('wait');
        this.#start();
      });
      this.#front.replaceChildren(button);
    }
    // One line over the picture, and the way to the lab that is always there.
    #say(text) {
      const line = make('p', { textContent: `${text} ` });
      line.setAttribute('role', 'status');
      if (this.#page) {
        const { href } = new URL(`labs/${this.getAttribute('lab')}/#${this.link}`, this.#base());
        line.append(make('a', { href, textContent: this.#word('open'), target: '_blank', rel: 'noreferrer' }));
      }
      // Whatever stands in the frame, an error page of somebody's server for instance, it is no lab.
      this.#box.classList.add('waiting', 'failed');
      if (this.#frame) this.#frame.inert = true;
      this.#front.replaceChildren(line);
    }
    // The frame gets its address before it is in the page: changing it there would add to history.
    #start() {
      if (this.#frame || !this.#page || !this.isConnected) return;
      const { theme, lang, state } = (this.#addressed = { ...this.#want });
      const url = new URL(this.#page);
      if (theme !== 'system') url.searchParams.set('theme', theme);
      if (lang) url.searchParams.set('lang', lang);
      url.hash = state;
      const src = url.href.replace(/\?[^#]*/, (query) => query.replaceAll('%2C', ','));
      const frame = make('iframe', { src, allow: 'fullscreen; clipboard-write', referrerPolicy: 'no-referrer' });
      // A page that shuts out what does not ask to be let in can still show a frame without
      // credentials, where the browser has such a thing.
      if (this.hasAttribute('credentialless') || globalThis.crossOriginIsolated) frame.credentialless = true;
      frame.addEventListener('load', () => this.#await(PATIENCE));
      this.#frame = frame;
      this.#dress();
      this.#box.prepend(frame);
      this.#picture(this.#poster.naturalWidth > 0);
      this.#await(SLOW);
    }
    #dress() {
      if (!this.#frame) return;
      this.#frame.title = this.#title();
      // What the frame's page sees as the reader's preference follows this.
      this.#frame.style.colorScheme = this.#box.style.colorScheme;
    }
    #close() {
      clearTimeout(this.#timer);
      this.#frame?.remove();
      this.#frame = undefined;
      this.#ready = false;
      this.#inView = undefined;
      this.#front.replaceChildren();
      this.#box.classList.add('waiting');
      this.#box.classList.remove('failed');
    }
    // The child may sleep until it is seen, so only time in view counts, in a tab that is seen.
    #await(time = this.#patience) {
      this.#patience = time;
      clearTimeout(this.#timer);
      if (this.#ready || !this.#frame || !this.#inView) return;
      this.#timer = setTimeout(() => {
        if (document.hidden) this.#await();
        else this.#say(this.#word('slow'));
      }, time);
    }
    #seen(inView) {
      this.#inView = inView;
      this.#await();
      if (!inView) this.#post('pause');
    }
    #height(asked) {
      this.#box.style.height = `${Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(asked)))}px`;
    }
    #resize(asked) {
      if (this.getAttribute('autoheight') === 'off') return;
      const { clientWidth: width, clientHeight } = this.#box;
      if (asked > clientHeight) {
        const { times, ...before } = this.#growth;
        const last = performance.now();
        const anew = width !== before.width || last - before.last > QUIET;
        this.#growth = { width, last, times: anew ? 1 : times + 1 };
        if (times >= GROWTHS && !anew) return;
      }
      this.#height(asked);
    }
    // Nothing secret is said, and a sandboxed child has no origin to name.
    #post(type, more) {
      if (this.#ready) this.#frame.contentWindow?.postMessage({ tokenyard: 1, type, ...more }, '*');
    }
    #act(type) {
      // What was set before the call comes first: a new state would end what is asked here.
      if (this.isConnected) this.#refresh();
      if (this.#ready) this.#post(type);
      else this.#action = type;
    }
    // Tells the child what it does not know yet, with the last value of each.
    #sync() {
      if (!this.#ready) return;
      const isNew = ([key, value]) => value !== undefined && value !== this.#told[key];
      const news = Object.entries(this.#want).filter(isNew);
      this.#told = { ...this.#want };
      if (news.length) this.#post('set', Object.fromEntries(news));
    }
    // False if a listener prevented what would follow.
    #tell(type, detail) {
      const about = { detail, bubbles: true, composed: true, cancelable: true };
      return this.dispatchEvent(new CustomEvent(`tokenyard-${type}`, about));
    }
    #hear({ source, data }) {
      if (!this.#frame || source !== this.#frame.contentWindow || data?.tokenyard !== 1) return;
      const { type, height, link, name, key, message } = data;
      if (type === 'ready') this.#begin(data);
      if (type === 'resize' && Number.isFinite(height)) this.#resize(height);
      if (type === 'state' && typeof link === 'string') {
        // What the reader did is what the child has: it is not told so, and survives a move.
        this.#want.state = this.#told.state = link;
        this.#tell(type, { link });
      }
      if (type === 'event' && ['predicted', 'completed'].includes(name)) this.#tell(type, { name });
      if (type === 'key' && KEYS.includes(key) && this.#tell(type, { key }) && key === 'Escape') {
        // Keys go to the page again, as a deck of slides needs it. Taking the focus out of a frame
        // alone does not do everywhere, so the box has it for a moment.
        this.#box.tabIndex = -1;
        this.#box.focus({ preventScroll: true });
        this.#box.blur();
        this.#box.removeAttribute('tabindex');
      }
      if (type === 'error' && typeof message === 'string') {
        // A lab that was there says by itself what is wrong: a value, or that it has to stop.
        clearTimeout(this.#timer);
        if (!this.#ready) this.#say(`${this.#word('stopped')} ${message.slice(0, 200)}`);
        this.#tell(type, { message });
      }
    }
    // A frame that was loaded anew begins again from its address.
    #begin({ v, lab }) {
      clearTimeout(this.#timer);
      this.#ready = true;
      this.#told = { ...this.#addressed };
      this.#box.classList.remove('waiting', 'failed');
      this.#frame.inert = false;
      // Whoever pressed the button goes on inside; nobody else's focus is touched.
      if (this.shadowRoot.activeElement?.tagName === 'BUTTON') this.#frame.focus({ preventScroll: true });
      this.#front.replaceChildren();
      this.#sync();
      if (this.#action) this.#post(this.#action);
      this.#action = undefined;
      if (this.#inView === false) this.#post('pause');
      this.#tell('ready', { v, lab });
    }
  }

  customElements.define(NAME, TokenyardLab);
})();
