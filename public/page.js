/* Small additions to Chainlit's page: previews of citations, the strip of sources, names for nameless buttons.

   An answer is complete without this file. Link titles that only the server writes are the hooks: "[" is a citation,
   "↗" a source. Text goes in through textContent; nodes that React owns get attributes, and an answer its strip.
   Chainlit builds a whole answer anew at every streamed piece: nothing here reads its text before it has been quiet. */
(() => {
  'use strict';

  const CITATION = '.message-content a:is([title^="["], [data-ws-title])';
  const SOURCE = '.message-content li > a[title^="↗"]';
  const TONES = ['192 80% 27%', '262 42% 48%', '338 55% 42%', '24 78% 34%', '150 60% 25%', '216 58% 44%'];
  const QUIET_MS = 180;
  const UNCITED = 2;                    /* cards of the strip below an answer that cites nothing */

  const page = document.documentElement;
  /* The server chose the language of the page; not every browser names one when its socket opens. */
  document.cookie = `websearch-language=${page.lang}; path=/; samesite=strict`;
  const WORDS = JSON.parse(document.getElementById('ws-words').textContent);
  const t = (name, values = {}) => WORDS[name].replace(/\{(\w+)\}/g, (_, value) => values[value]);
  try {                                 /* the first visit follows the system; Chainlit's settings have no such value */
    if (!localStorage.getItem('vite-ui-theme')) localStorage.setItem('vite-ui-theme', 'system');
  } catch { /* storage is off: Chainlit's default stays */ }

  const element = (tag, className) => Object.assign(document.createElement(tag), { className });
  const domain = (link) => link.hostname.replace(/^www\./, '');

  function mark(node, name) {           /* a coloured letter in place of a favicon from another host */
    const sum = [...name].reduce((total, letter) => (total * 31 + letter.codePointAt(0)) % 997, 7);
    node.dataset.wsLetter = ([...name][0] ?? '?').toUpperCase();
    node.style.setProperty('--ws-tone', TONES[sum % TONES.length]);
  }

  /* ---- preview of a citation: on hover, on focus, on the first tap ---- */

  const card = element('div', '');
  const site = element('div', 'ws-site');
  const heading = element('div', 'ws-title');
  const snippet = element('div', 'ws-snippet');
  const missing = element('div', 'ws-missing');
  const open = Object.assign(element('a', 'ws-open'), { target: '_blank', rel: 'noopener noreferrer' });
  const status = element('div', 'ws-status');
  const told = new WeakMap();           /* the text that was announced for each step */
  let shown = null;                     /* the citation whose preview is open */
  let place = {};                       /* its message, its number among the citations there, and whether it has the focus */
  let timer = 0;

  function soon(ms, action) {
    clearTimeout(timer);
    timer = setTimeout(action, ms);
  }

  function sourcesOf(citation) {        /* in the list below the same answer, then in any list */
    const here = citation.closest('.message-content');
    const sources = [...here.querySelectorAll('li > a[title^="↗"]'), ...document.querySelectorAll(SOURCE)];
    return sources.filter((source) => source.href === citation.href).map((source) => source.parentElement);
  }

  function namedBy(citation) {          /* number and title of its source: "[3] title — domain" */
    const [, number, title] = /^\[(\d+)\]\s*(.*)$/s.exec(citation.dataset.wsTitle || citation.title) ?? ['', '', ''];
    return { number, title: title.replace(/\s+—\s+\S+$/, '') };
  }

  function first(items, selector) {     /* the text of the first such element */
    return items.map((item) => item.querySelector(selector)).find(Boolean)?.textContent.trim() ?? '';
  }

  function show(citation, { sheet = false } = {}) {
    if (shown === citation) return;
    hide();
    shown = citation;
    const message = citation.closest('[id^="step-"]');
    place = { id: message?.id, n: citationsOf(message).indexOf(citation), focused: document.activeElement === citation };
    describe(citation);
    fill(citation);
    card.className = sheet ? 'ws-sheet' : '';
    card.setAttribute('role', sheet ? 'dialog' : 'tooltip');
    card.hidden = false;
    if (sheet) open.focus({ preventScroll: true });
    else moveTo(citation);
  }

  function describe(citation) {
    citation.dataset.wsTitle = citation.title;
    citation.removeAttribute('title');  /* keeps the browser from showing its own tooltip too */
    citation.setAttribute('aria-describedby', card.id);
  }

  function stay() {                     /* the answer was built anew: the preview stays open at the same citation */
    const again = citationsOf(document.getElementById(place.id))[place.n];
    if (again?.href !== shown.href) return hide();
    shown = again;
    describe(again);
    if (place.focused && document.activeElement === document.body) again.focus({ preventScroll: true });
    refill();
  }

  function fill(citation) {             /* the words of the preview */
    const { number, title } = namedBy(citation);
    const sources = sourcesOf(citation);
    mark(site, domain(citation));
    const evidence = evidenceOf(citation);
    const place = evidence?.quote ? `${domain(citation)} · ${evidence.kind}` : sources.map(placeOf).find(Boolean);
    site.textContent = `${place || domain(citation)} · [${number}]`;   /* with the kind of text */
    heading.textContent = title;
    if (evidence?.quote) emphasise(snippet, evidence);
    else snippet.textContent = first(sources, 'blockquote');
    snippet.classList.toggle('ws-quote', Boolean(evidence?.quote));
    missing.replaceChildren(...(evidence?.missing ?? []).map((line) => Object.assign(element('div', ''), { textContent: line })));
    open.href = citation.href;
    open.textContent = t('open_source');
    card.setAttribute('aria-label', t('source', { number }));
  }

  function refill() {                   /* evidence has come, or more of it: an open preview shows it in its place */
    if (!shown?.isConnected) return;
    fill(shown);
    if (!card.classList.contains('ws-sheet')) moveTo(shown);
  }

  function moveTo(citation) {
    const chip = citation.getBoundingClientRect();
    if (chip.bottom < 0 || chip.top > innerHeight) return hide();   /* scrolled away */
    const left = Math.min(chip.left + chip.width / 2 - card.offsetWidth / 2, innerWidth - card.offsetWidth - 12);
    const above = chip.top - card.offsetHeight - 8;
    card.style.left = `${Math.max(12, left)}px`;
    card.style.top = `${above > 8 ? above : chip.bottom + 8}px`;
  }

  function hide() {
    clearTimeout(timer);
    if (!shown) return;
    shown.title = shown.dataset.wsTitle;
    delete shown.dataset.wsTitle;
    shown.removeAttribute('aria-describedby');
    shown = null;
    card.hidden = true;
  }

  /* ---- evidence: the sentence of its source behind each citation, sent by the server beside the answer ---- */

  const evidences = new Map();          /* by the id of the message: an entry for each of its citations, in their order */
  const ANSWERS_KEPT = 100;

  function keepEvidence({ id, citations }) {
    evidences.set(`step-${id}`, citations);
    if (evidences.size > ANSWERS_KEPT) evidences.delete(evidences.keys().next().value);
  }

  const citationsOf = (message) => [...(message?.querySelectorAll(CITATION) ?? [])];

  function evidenceOf(citation) {
    const message = citation.closest('[id^="step-"]');
    const found = evidences.get(message?.id)?.[citationsOf(message).indexOf(citation)];
    return found && String(found.number) === namedBy(citation).number ? found : null;
  }

  function emphasise(node, { quote, shared }) {   /* places are counted in letters, not in UTF-16 */
    const letters = [...quote];
    let end = 0;
    node.replaceChildren();
    for (const [from, to] of shared) {
      node.append(letters.slice(end, from).join(''), Object.assign(element('b', ''), { textContent: letters.slice(from, to).join('') }));
      end = to;
    }
    node.append(letters.slice(end).join(''));
  }

  function toSentence(link, evidence) { /* a text fragment leads to the sentence; the address in the text stays as it is */
    const address = link.href;
    if (!evidence?.quote || /#[!/]/.test(address)) return;
    const part = (text) => encodeURIComponent(text.trim()).replaceAll('-', '%2D');
    const words = evidence.quote.replace(/^…|…$/g, '').split(/(?<=[\s\u3000-\u9fff])/);
    const count = words.length > 24 ? 8 : words.length;
    const ends = count < words.length ? `,${part(words.slice(-count).join(''))}` : '';
    link.href = `${address}${address.includes('#') ? '' : '#'}:~:text=${part(words.slice(0, count).join(''))}${ends}`;
    setTimeout(() => { link.href = address; });
  }

  function markValues() {               /* a highlight changes nothing in the text, nor in what is copied */
    if (!window.Highlight) return;
    const marked = new Highlight();
    for (const [id, entries] of evidences) {
      const citations = document.getElementById(id)?.querySelectorAll(CITATION) ?? [];
      entries.forEach(({ values }, n) => {
        for (const value of citations[n] ? values : []) {
          const range = rangeOf(value, citations[n]);
          if (range) marked.add(range);
        }
      });
    }
    CSS.highlights.set('ws-missing', marked);
  }

  const INSIDE = '(?:\\p{Nd}[.,]?\\p{Nd}|[A-Za-z]{2}|[零〇一二两三四五六七八九十百千万亿]{2})';
  const CUT_BEFORE = new RegExp(`${INSIDE}$`, 'u');
  const CUT_BEHIND = new RegExp(`^${INSIDE}`, 'u');

  function placesOf(value, words) {     /* no part of a longer number or word: 5% of 15% */
    const places = [];
    for (let at = words.indexOf(value); at >= 0 && value; at = words.indexOf(value, at + 1)) {
      const end = at + value.length;
      if (CUT_BEFORE.test(words.slice(Math.max(0, at - 2), at + 1))) continue;
      if (CUT_BEHIND.test(words.slice(end - 1, end + 2))) continue;
      places.push(at);
    }
    return places;
  }

  function rangeOf(value, citation) {   /* the nearest place before the citation, else behind it, in its paragraph or row */
    const block = citation.closest('tr, li, p, blockquote, h1, h2, h3, h4, h5, h6, .leading-7');
    if (!block) return null;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const nodes = [];
    let words = '';
    let at = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!citation.contains(node) && node.compareDocumentPosition(citation) & Node.DOCUMENT_POSITION_FOLLOWING) at = words.length + node.length;
      nodes.push([words.length, node]);
      words += node.data;
    }
    const places = placesOf(value, words);
    const begin = places.findLast((place) => place + value.length <= at) ?? places[0];
    if (begin === undefined) return null;
    const range = new Range();
    const point = (place) => {
      const [start, node] = nodes.findLast(([from]) => from <= place);
      return [node, Math.min(place - start, node.length)];
    };
    range.setStart(...point(begin));
    range.setEnd(...point(begin + value.length));
    return range;
  }

  function foldNote(answer) {           /* the line that counts missing values; its list unfolds */
    for (const link of answer.querySelectorAll('blockquote a[title="§ evidence"]')) {
      const note = link.closest('blockquote');
      if (note.querySelector('button')) continue;
      const button = Object.assign(element('button', 'ws-unfold'), { type: 'button' });
      const draw = (folded) => {
        note.toggleAttribute('data-ws-folded', folded);
        button.textContent = folded ? t('show') : t('hide');
        button.setAttribute('aria-expanded', String(!folded));
      };
      button.addEventListener('click', () => draw(!note.hasAttribute('data-ws-folded')));
      draw(true);
      link.before(button);
    }
  }

  /* ---- many citations behind one sentence: "1 +4"; all stay in the text, for copies, print and screen readers ---- */

  const FOLDED_FROM = 3;

  const previous = (citation) => {      /* the citation that this one follows at once */
    const before = citation.previousSibling;
    return (before?.nodeType === Node.TEXT_NODE && !before.data.trim() ? before.previousSibling : before);
  };

  function foldCitations(answer) {
    const runs = [];
    for (const citation of citationsOf(answer)) {
      if (runs.at(-1)?.at(-1) === previous(citation)) runs.at(-1).push(citation);
      else runs.push([citation]);
    }
    for (const run of runs.filter(({ length }) => length >= FOLDED_FROM)) {
      if (run.some((citation) => citation.matches('[data-ws-run], :focus'))) continue;
      run.forEach((citation, n) => { citation.dataset.wsRun = n < 2 ? ['first', 'more'][n] : 'behind'; });
      run[1].dataset.wsMore = `+${run.length - 1}`;
    }
  }

  function unfoldCitations(citation) {
    if (!citation?.matches('[data-ws-run="more"], [data-ws-run="behind"]')) return false;
    let first = citation;
    while (first.dataset.wsRun !== 'first') first = previous(first);
    for (const other of citationsOf(first.parentElement)) if (other.dataset.wsRun) other.dataset.wsRun = 'open';
    return true;
  }

  document.addEventListener('focusin', (event) => unfoldCitations(event.target.closest?.('[data-ws-run]')));
  document.addEventListener('click', (event) => {
    const more = event.target.closest?.('[data-ws-run="more"]');
    if (!more) return;
    event.preventDefault();
    event.stopPropagation();
    unfoldCitations(more);
  }, true);

  const citationAt = (event) => event.target.closest?.(`:is(${CITATION}):not([data-ws-run="more"])`);
  const inCard = (event) => card.contains(event.target);
  let finger = false;

  document.addEventListener('pointerdown', (event) => {
    finger = event.pointerType === 'touch';
    if (!inCard(event) && citationAt(event) !== shown) hide();
  }, true);
  document.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'touch') return;
    const citation = citationAt(event);
    if (citation) soon(shown ? 40 : 140, () => citation.isConnected && show(citation));
    else if (inCard(event)) clearTimeout(timer);
    else if (shown !== document.activeElement) soon(160, hide);
  });
  document.addEventListener('focusin', (event) => {
    const citation = citationAt(event);
    if (citation?.matches(':focus-visible') && !finger) show(citation);
    else if (!citation && !inCard(event)) hide();
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[target="_blank"]');
    if (link) link.rel = 'noopener noreferrer';
    const citation = citationAt(event);
    if (citation && finger && citation !== shown) {
      event.preventDefault();           /* touch has no hover: the second tap, or the button, opens the source */
      show(citation, { sheet: true });
    } else if (citation || (link === open && shown)) {
      toSentence(link, evidenceOf(citation || shown));
    }
  }, true);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !shown) return;
    event.stopPropagation();
    const citation = shown;
    const returning = inCard({ target: document.activeElement });
    hide();
    if (returning) citation.focus({ preventScroll: true, focusVisible: false });
  }, true);
  addEventListener('scroll', (event) => {
    if (shown && !card.classList.contains('ws-sheet') && event.target !== card) moveTo(shown);
  }, true);
  addEventListener('resize', hide);

  /* ---- the plan of a report: a button for each line, pressed while the line is kept ---- */

  const plans = new Map();              /* by the beginning of the buttons' ids: the numbers of struck lines */

  function keepPlan({ id, struck }) {
    if (/^plan-[0-9a-f]{12}$/.test(id)) plans.set(id, struck);
  }

  function strike() {
    for (const [id, struck] of plans) {
      for (const button of document.querySelectorAll(`button[id^="${id}-line-"]`)) {
        const isStruck = struck.includes(Number(button.id.slice(id.length + 6)));
        button.toggleAttribute('data-ws-struck', isStruck);
        button.setAttribute('aria-pressed', String(!isStruck));
      }
    }
  }

  /* ---- the pickers in the composer: Chainlit tells the server of a choice with the next message only ---- */

  const PICKERS = { how: 'picker_how', model: 'picker_model', time: 'picker_time' };
  const FRAMES = 60;                    /* within which Chainlit has drawn a choice */

  function picks() {
    const shown = Object.keys(PICKERS).map((name) => [name, document.getElementById(`mode-picker-trigger-${name}`)?.textContent.trim()]);
    return Object.fromEntries(shown.filter(([, words]) => words));
  }

  const tell = (picked) => postMessage({ type: 'websearch:pick', ...picked }, location.origin);

  function tellPick(before, frames = FRAMES) {
    const now = picks();
    if (Object.keys(PICKERS).some((name) => now[name] !== before[name])) tell(now);
    else if (frames) requestAnimationFrame(() => tellPick(before, frames - 1));
  }

  const pickedBy = (event) => event.target.closest?.('[id^="mode-picker-popover-"]') && tellPick(picks());
  document.addEventListener('click', pickedBy, true);
  document.addEventListener('keydown', (event) => event.key === 'Enter' && pickedBy(event), true);

  let panelIsOpen = false;

  function followPanel() {              /* at its end Chainlit shows what it showed at its beginning */
    const isOpen = Boolean(document.querySelector('#confirm-sidebar'));
    if (panelIsOpen && !isOpen) tell({});
    panelIsOpen = isOpen;
  }

  /* ---- sources: one strip of compact cards, which unfolds to the lists of the answer ---- */

  const sourceOf = (item) => item.querySelector(':scope > a[title^="↗"]');

  function dressNew() {                 /* before they are painted: nothing moves */
    const isNew = (list) => list.querySelectorAll(':scope > li > a[title^="↗"]').length !== Number(list.dataset.wsSources);
    const lists = [...document.querySelectorAll('.message-content ul:has(> li > a[title^="↗"])')].filter(isNew);
    for (const answer of new Set(lists.map((list) => list.closest('.message-content')))) dress(answer);
  }

  function dress(answer) {
    const lists = [...answer.querySelectorAll('ul:has(> li > a[title^="↗"])')];
    const items = [];
    for (const list of lists) {
      const own = [...list.children].filter(sourceOf);
      list.dataset.wsSources = own.length;
      list.setAttribute('aria-label', t('sources', { count: own.length }));
      for (const item of own) mark(item, domain(sourceOf(item)));
      items.push(...own);
    }
    if (!answer.closest('[data-step-type="tool"]')) fold(answer, lists[0], items);
  }

  function fold(answer, first, items) {
    answer.querySelector('.ws-strip')?.remove();
    for (let node = headingOf(first); node; node = node.nextElementSibling) node.setAttribute('data-ws-all', '');
    const cited = new Set(citationsOf(answer).map((citation) => citation.href));
    const pages = new Map(items.map((item) => [sourceOf(item).href, item]));
    const isCited = ([href]) => cited.has(href);
    const inStrip = [...pages].filter(isCited);
    const isUncited = !inStrip.length;
    if (isUncited) inStrip.push(...[...pages].slice(0, UNCITED));
    if (inStrip.length === pages.size - 1) inStrip.push([...pages].find(([href]) => !inStrip.some(([known]) => known === href)));
    const strip = element('div', 'ws-strip');
    const bar = element('div', 'ws-cards');
    bar.setAttribute('role', 'toolbar');
    bar.setAttribute('aria-label', t('sources', { count: pages.size }));
    bar.append(...inStrip.map(([, item]) => compact(item)));
    bar.firstElementChild.tabIndex = 0;
    if (isUncited) strip.append(Object.assign(element('p', ''), { textContent: t('uncited') }));
    strip.append(bar, unfolder(answer, pages.size - inStrip.length));
    answer.append(strip);
  }

  function headingOf(list) {            /* the lists are the end of an answer, from the first of their headings */
    let first = list;
    while (first.previousElementSibling?.matches('h4, h5')) first = first.previousElementSibling;
    return first;
  }

  function compact(item) {
    const source = sourceOf(item);
    const small = Object.assign(element('a', ''), { href: source.href, target: '_blank', rel: 'noopener noreferrer', tabIndex: -1 });
    const where = element('span', 'ws-where');
    where.append(...placeOf(item).split(/(?= · )/).map((part) => Object.assign(element('span', ''), { textContent: part })));
    const number = Object.assign(element('span', 'ws-number'), { textContent: item.querySelector(':scope > .font-bold').textContent.replace(/\D/g, '') });
    mark(small, domain(source));
    small.append(where, number, Object.assign(element('span', 'ws-name'), { textContent: source.textContent }));
    return small;
  }

  const placeOf = (item) => item.querySelector(':scope > code')?.textContent.split(' · ').slice(0, 2).join(' · ') ?? '';

  function unfolder(answer, count) {
    const button = Object.assign(element('button', ''), { type: 'button' });
    const draw = (folded) => {
      answer.toggleAttribute('data-ws-folded', folded);
      button.textContent = folded ? t(count ? 'show_more' : 'show_all', { count }) : t('show_fewer');
      button.setAttribute('aria-expanded', String(!folded));
    };
    button.addEventListener('click', () => {
      const folded = !answer.hasAttribute('data-ws-folded');
      draw(folded);
      if (folded) button.scrollIntoView({ block: 'nearest' });   /* it has moved far */
    });
    draw(true);
    return button;
  }

  document.addEventListener('keydown', (event) => {   /* the cards are one stop of the Tab key; arrows go on among them */
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const card = step && event.target.closest?.('.ws-cards > a');
    if (!card) return;
    const cards = [...card.parentElement.children];
    const next = cards.at((cards.indexOf(card) + step) % cards.length);
    card.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  });

  let lit = null;                       /* the citation or card that lights the others of its source */

  function light(link) {
    if (link === lit) return;
    lit = link;
    for (const other of document.querySelectorAll('[data-ws-lit]')) other.removeAttribute('data-ws-lit');
    const answer = link?.closest('.message-content');
    for (const other of answer?.querySelectorAll(`.ws-cards > a, ${CITATION}`) ?? [])
      if (other !== link && other.href === link.href) other.setAttribute('data-ws-lit', '');
  }

  for (const name of ['pointerover', 'focusin'])
    document.addEventListener(name, (event) => light(event.target.closest?.(`.ws-cards > a, ${CITATION}`) ?? null));

  /* ---- pages that are read: a letter each on the line of the work, filled as it comes ---- */

  const readings = new Map();           /* by the id of the step: the domain and the state of each page */

  function drawLetters() {
    for (const [id, pages] of readings) {
      const step = document.getElementById(id);
      const line = step?.querySelector('[id^="step-"].loading-shimmer');
      if (step && !line) readings.delete(id);
      if (!line) continue;
      const letters = line.querySelector('.ws-letters') ?? line.appendChild(element('span', 'ws-letters'));
      const signs = JSON.stringify(pages);
      if (letters.dataset.wsPages === signs) continue;
      letters.dataset.wsPages = signs;
      letters.setAttribute('aria-hidden', 'true');
      letters.replaceChildren(...pages.map(({ domain: name, state }) => {
        const letter = element('i', `ws-${state}`);
        mark(letter, name);
        return letter;
      }));
    }
    for (const letters of document.querySelectorAll(':not(.loading-shimmer) > .ws-letters')) letters.remove();
  }

  /* ---- accessibility: names and roles that Chainlit's page lacks ---- */

  const NAMES = {
    '#new-chat-button': 'new_chat',
    '#chat-input': 'question',
    '#chat-submit': 'send',
    '#stop-button': 'stop',
    '#theme-toggle': 'theme',
    '#chat-settings-open-modal, #chat-settings-header-button': 'settings',
    '#chat-settings-sidebar-title > button': 'close_settings',
    'button:has(> svg.lucide-copy)': 'copy',
    '.edit-message': 'edit_question',
    '#edit-chat-input': 'question',
    'button:has(> svg.lucide-arrow-down)': 'to_end',
    '[role="dialog"] > button:has(> .sr-only)': 'close',
    '[cmdk-list]': 'commands',
    '[id^="mode-picker-popover-"] [cmdk-list]': 'choices',
    'section:has(> ol[data-sonner-toaster])': 'notifications',
  };

  const ENGLISH_ONLY = new Map([['Raw code', 'code'], ['Toggle theme', 'change_theme'], ['Close', 'close']]);   /* of Chainlit */

  function name() {
    for (const [selector, word] of Object.entries(NAMES))
      for (const node of document.querySelectorAll(selector)) node.setAttribute('aria-label', t(word));
    for (const picker of Object.keys(PICKERS))   /* named by its label and what it shows */
      document.getElementById(`mode-picker-trigger-${picker}`)?.setAttribute('aria-labelledby', `ws-${picker} mode-picker-trigger-${picker}`);
    for (const logo of document.querySelectorAll('img.rounded-full:not([alt]), #starters img:not([alt=""])')) logo.alt = '';
    for (const avatar of document.querySelectorAll('img[alt^="Avatar for"]')) avatar.alt = t('answer');
    for (const label of document.querySelectorAll('.sr-only, .message-content span.text-sm.text-muted-foreground')) {
      const word = ENGLISH_ONLY.get(label.textContent);
      if (word) label.firstChild.nodeValue = t(word);
    }
    for (const toasts of document.querySelectorAll('ol[data-sonner-toaster]')) toasts.setAttribute('role', 'presentation');
    for (const divider of document.querySelectorAll('[role="separator"][aria-controls]'))
      if (!document.getElementById(divider.getAttribute('aria-controls'))) divider.removeAttribute('aria-controls');
    const title = document.getElementById('chat-settings-sidebar-title');
    title?.closest('[role="dialog"]')?.setAttribute('aria-labelledby', title.id);
  }

  function begin() {                    /* Chainlit scrolls to the end, past the title where a notice is long */
    const start = document.getElementById('welcome-screen');
    document.body.toggleAttribute('data-ws-start', Boolean(start));
    if (!start || start.hasAttribute('data-ws-seen')) return;
    start.setAttribute('data-ws-seen', '');
    start.closest('.overflow-y-auto')?.scrollTo({ top: 0, behavior: 'instant' });
  }

  function settle() {
    begin();
    for (const answer of document.querySelectorAll('.message-content')) foldNote(answer);
    drawBars(true);
    markValues();
    for (const answer of document.querySelectorAll('.message-content')) foldCitations(answer);
    for (const text of document.querySelectorAll('.message-content div[role="article"]')) text.removeAttribute('role');
    for (const area of document.querySelectorAll('.message-content :is(.overflow-auto:has(> table), pre, pre > code)'))
      if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
    const steps = [...document.querySelectorAll('[data-step-type="tool"] [id^="step-"]:is(p, button)')];
    const news = steps.filter((step) => told.get(step.closest('.step')) !== step.textContent && !isCount(step));
    for (const step of news) told.set(step.closest('.step'), step.textContent);
    if (news.length) status.textContent = news.map((step) => step.textContent.trim()).join('; ');
  }

  function isCount(step) {              /* a step that was announced and counts on, and a budget, which counts by the second */
    const whole = step.closest('.step');
    return Boolean(whole.querySelector('svg.lucide-gauge') || (told.has(whole) && step.matches('.loading-shimmer')));
  }

  /* ---- messages of the server ---- */

  addEventListener('message', (event) => {
    if (event.source !== window) return;
    const kind = event.data?.type ?? event.data;
    /* Chainlit sends the server every message, its own ones too. */
    if (String(kind).startsWith('websearch:') && kind !== 'websearch:pick') event.stopImmediatePropagation();
    if (event.data?.type === 'websearch:evidence') {
      keepEvidence(event.data);
      markValues();
      refill();
    }
    if (event.data?.type === 'websearch:pages') {
      readings.set(`step-${event.data.id}`, event.data.pages);
      drawLetters();
    }
    if (event.data?.type === 'websearch:answer') {
      keepFacts(event.data);
      drawBars();
    }
    if (event.data?.type === 'websearch:plan') {
      keepPlan(event.data);
      strike();
    }
    if (event.data === 'websearch:began') conversationBegins();
    if (event.data === 'websearch:write') document.getElementById('chat-input')?.focus();
    const kept = /^websearch:keep ([\w%.~-]{1,1500})$/.exec(event.data)?.[1];
    if (kept) document.cookie = `websearch=${kept}; path=/; max-age=31536000; samesite=strict`;
  });

  new BroadcastChannel('websearch').onmessage = () => {   /* /setup has saved: an empty chat begins again with it */
    if (!document.querySelector('.message-content') && !document.getElementById('chat-input')?.textContent) location.reload();
  };

  /* ---- a line to the server that stays away ---- */

  const LINE_MS = 10_000;               /* Chainlit tries again by itself, mostly within a few seconds */
  const line = element('div', '');
  const lineWords = element('span', '');
  const lineClose = Object.assign(element('button', ''), { textContent: '×' });
  let lineTimer = 0;
  let wasOpen = false;
  let newest = null;                    /* the socket in use: an older one may close late */
  let earlier = null;                   /* a message that stood here when it was opened */

  function tellOfLine(words) {
    lineWords.textContent = t(words);
    line.hidden = false;
    line.toggleAttribute('data-ws-waiting', words === 'line_waiting');
  }

  function lineIsAway() {
    lineTimer ||= setTimeout(() => tellOfLine(wasOpen ? 'line_lost' : 'line_never'), LINE_MS);
  }

  function conversationBegins() {       /* messages of another one on the page: the server has forgotten it */
    if (earlier?.isConnected) tellOfLine('line_forgotten');
  }

  function lineIsThere() {
    clearTimeout(lineTimer);
    lineTimer = 0;
    wasOpen = line.hidden = true;
    tendBox();
  }

  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      newest = this;
      earlier = document.querySelector('.step');
      lineIsAway();
      this.addEventListener('open', lineIsThere);
      this.addEventListener('close', () => {
        if (newest !== this) return;
        lineIsAway();
        tendBox();
      });
    }
  };

  /* ---- the box: a question from an address, and one that waits for the line ---- */

  const address = new URL(location.href);
  let given = address.searchParams.get('q') ?? address.searchParams.get('prompt');
  if (given !== null) {                 /* Chainlit would fill the box with it again after it was sent */
    for (const name of ['q', 'prompt']) address.searchParams.delete(name);
    history.replaceState(history.state, '', address);
  }
  let isHeld = false;                   /* Enter was pressed, and there was no line */
  const box = () => document.getElementById('chat-input');
  const isOpen = () => newest?.readyState === WebSocket.OPEN;

  function tendBox() {
    const node = box();
    if (!node) return;
    if (given) {                        /* it waits for Enter: a link must not search for anything by itself */
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(node, given);
      node.dispatchEvent(new Event('input', { bubbles: true }));
      given = null;
    }
    const send = document.getElementById('chat-submit');
    if (isHeld && isOpen() && send && !send.disabled) {
      isHeld = false;
      send.click();
    }
    const asked = document.querySelector('[data-step-type="user_message"]') ? 'ask_on' : 'ask';
    const words = t(wasOpen && !isOpen() ? 'connecting' : asked);
    if (node.placeholder !== words) node.placeholder = words;
  }

  document.addEventListener('input', (event) => {   /* a question that is changed waits for another Enter */
    if (event.target !== box() || !isHeld) return;
    isHeld = false;
    line.hidden = true;
  });

  /* ---- keys: Esc stops, "/" goes to the box, Alt+N begins a new chat ---- */

  const OPEN = ':is([role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [cmdk-list]):not([hidden])';

  addEventListener('keydown', (event) => {          /* before a dialog that the same key closes is gone */
    if (event.isComposing || event.ctrlKey || event.metaKey || shown || document.querySelector(OPEN)) return;
    const field = event.target.closest?.('input, textarea, select, [contenteditable="true"]');
    if (event.key === 'Escape') document.getElementById('stop-button')?.click();
    else if (event.altKey && event.code === 'KeyN' && (!field || field === box())) {
      event.preventDefault();
      document.getElementById('new-chat-button')?.click();
    } else if (event.key === '/' && !field && !event.altKey && box()) {
      event.preventDefault();
      box().focus();
    } else if (event.key === 'Enter' && !event.shiftKey && field && field === box() && field.value.trim() && !isOpen()) {
      event.preventDefault();
      isHeld = true;
      tellOfLine('line_waiting');
    }
  }, true);

  /* ---- the tab: named by its first question, marked when an answer ended unseen ---- */

  const NAME = document.title;
  const TITLE_LETTERS = 60;
  let wasBusy = false;
  let isNews = false;

  function entitle() {
    const isBusy = Boolean(document.getElementById('stop-button'));
    if (wasBusy && !isBusy) status.textContent = t('answer_ended');
    isNews = document.hidden && (isNews || (wasBusy && !isBusy));
    wasBusy = isBusy;
    const asked = [...document.querySelectorAll('[data-step-type="user_message"] .message-content')].map((one) => one.textContent.trim().replace(/\s+/g, ' '));
    const question = asked.find((words) => !/^\/(search|doctor)\b/.test(words))?.replace(/^\/report\s+/, '');
    const name = question ? [...question].slice(0, TITLE_LETTERS).join('') : NAME;
    const title = isNews ? `● ${name}` : name;
    if (document.title !== title) document.title = title;
  }

  document.addEventListener('visibilitychange', entitle);
  addEventListener('pagehide', () => {  /* for what stands there first when the page comes again */
    let theme = '';
    try {
      theme = localStorage.getItem('vite-ui-theme');
    } catch { /* storage is off */ }
    const kept = theme === 'dark' || theme === 'light' ? 31536000 : 0;
    document.cookie = `websearch-theme=${theme}; path=/; max-age=${kept}; samesite=strict`;
  });

  /* ---- the bar under the text of an answer: copy, ask again, go on, export; what made it ---- */

  const ICONS = {                       /* of Lucide, as Chainlit's own */
    copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2M4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
    copied: 'M20 6 9 17l-5-5',
    again: 'M3 12a9 9 0 0 1 15-6.7L21 8M21 3v5h-5M21 12a9 9 0 0 1-15 6.7L3 16M8 16H3v5',
    go_on: 'M12 20h9M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4Z',
    export: 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5',
    more: 'm6 9 6 6 6-6',
    search: 'm21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0',
  };
  const ROW = '[data-step-type="assistant_message"] .message-content ~ .-ml-1\\.5';   /* Chainlit's buttons: the answer is complete */
  const NEWEST = 3;                     /* answers whose bar is looked after in each frame */
  const LISTED = 'li > a[title^="↗"]';
  const REMARK = 'blockquote:has(a:is([title^="ⓘ"], [title^="⚠"], [title^="§"]))';
  const madeBy = new Map();             /* by the id of the message: its model, sources and time */

  function keepFacts({ id, facts, failed }) {
    madeBy.set(`step-${id}`, { facts, failed });
    if (madeBy.size > ANSWERS_KEPT) madeBy.delete(madeBy.keys().next().value);
  }

  function drawBars(all) {
    const rows = [...document.querySelectorAll(ROW)];
    const madeFor = (row) => madeBy.get(row.closest('[id^="step-"]').id);
    const newest = rows.findLast(madeFor);
    for (const row of all ? rows : rows.slice(-NEWEST)) {
      const answer = row.parentElement.querySelector(':scope > .message-content');
      const made = madeFor(row);
      const ways = row === newest ? [...row.querySelectorAll('button[id^="bar-"]')] : [];
      const list = made && answer.querySelector(LISTED)?.closest('ul, ol');
      const sign = JSON.stringify([made, ways.map((way) => [way.id, way.disabled])]);
      const old = row.parentElement.querySelector('.ws-bar');
      if (old?.dataset.wsSign === sign && (!list || old.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
      old?.remove();
      const bar = barOf(answer, ways, made);
      bar.dataset.wsSign = sign;
      if (list) headingOf(list).before(bar);
      else answer.after(bar);
    }
  }

  function barOf(answer, ways, made) {
    const bar = element('div', 'ws-bar');
    const waysTo = (name) => ways.filter(({ id }) => id.split('-')[1] === name);
    const press = (way) => () => way.click();
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', t('answer_bar'));
    const copying = tool('copy', t('copy'), () => copyAnswer(answer, copying));
    bar.append(copying);
    for (const way of waysTo('go_on')) bar.append(tool('go_on', way.textContent, press(way), { isNamed: true }));
    for (const way of [...waysTo('as_typed'), ...waysTo('as_chat')]) bar.append(tool('search', way.textContent, press(way), { isNamed: true }));
    for (const way of waysTo('again')) bar.append(tool('again', made.failed ? t('try_again') : way.textContent, press(way), { isNamed: made.failed }));
    const others = [...waysTo('as_agent'), ...waysTo('by_model')];
    const isHelp = made?.failed && waysTo('by_model').length > 0;   /* the same model would fail again */
    if (others.length) bar.append(...menu('more', t(isHelp ? 'other_model' : 'other_ways'), isHelp, others.map((way) => [way.textContent, press(way)])));
    if (made) {
      const kinds = [['export_markdown', () => exportAnswer(answer, 'md')], ['export_html', () => exportAnswer(answer, 'html')], ['export_print', () => print()]];
      bar.append(...menu('export', t('export'), false, kinds.map(([word, action]) => [t(word), action])));
      bar.append(Object.assign(element('span', 'ws-facts'), { textContent: made.facts }));
    }
    for (const way of ways) if (way.disabled) for (const button of bar.querySelectorAll('[data-ws-asks]')) button.disabled = true;
    return bar;
  }

  function tool(icon, words, action, { isNamed = false } = {}) {
    const button = Object.assign(element('button', ''), { type: 'button' });
    button.append(drawing(icon), ...(isNamed ? [words] : []));
    if (!isNamed) button.setAttribute('aria-label', words);
    button.title = words;
    button.toggleAttribute('data-ws-asks', ['again', 'go_on', 'more', 'search'].includes(icon));
    button.addEventListener('click', action);
    return button;
  }

  function drawing(icon) {
    const { namespaceURI } = document.querySelector('#root svg');   /* Chainlit's own icons */
    const svg = document.createElementNS(namespaceURI, 'svg');
    const path = svg.appendChild(document.createElementNS(namespaceURI, 'path'));
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', ICONS[icon]);
    return svg;
  }

  function menu(icon, words, isNamed, choices) {   /* the browser closes it: Esc, or a press beside it */
    const list = Object.assign(element('div', 'ws-menu'), { popover: 'auto' });
    const button = tool(icon, words, () => {}, { isNamed });
    button.popoverTargetElement = list;
    if (icon !== 'more') button.append(drawing('more'));
    for (const [text, action] of choices) {
      const choice = Object.assign(element('button', ''), { type: 'button', textContent: text });
      choice.addEventListener('click', () => { list.hidePopover(); action(); });
      list.append(choice);
    }
    list.addEventListener('toggle', ({ newState }) => {
      if (newState !== 'open') return;
      const at = button.getBoundingClientRect();
      const below = at.bottom + 4 + list.offsetHeight < innerHeight;
      list.style.top = `${below ? at.bottom + 4 : Math.max(4, at.top - list.offsetHeight - 4)}px`;
      list.style.left = `${Math.max(8, Math.min(at.left, innerWidth - list.offsetWidth - 8))}px`;
    });
    return [button, list];
  }

  /* ---- an answer outside of the page: its text with [n], and the cited sources; letter for letter ---- */

  const MEANT = { 'div.leading-7': 'p', 'span.font-bold': 'strong', 'span.italic': 'em' };   /* Chainlit's elements, and what they are */
  const KEPT = ['href', 'start', 'colspan', 'display', 'encoding', 'xmlns'];

  function textOf(answer) {             /* a copy of its text in plain elements, without lists, remarks and buttons */
    const copy = answer.cloneNode(true);
    for (const list of new Set([...copy.querySelectorAll(LISTED)].map((source) => source.closest('ul, ol')))) {
      while (list.previousElementSibling?.matches('h2, h4, h5')) list.previousElementSibling.remove();
      list.remove();
    }
    for (const extra of copy.querySelectorAll(`${REMARK}, .ws-bar, .ws-strip, .katex-html`)) extra.remove();
    for (const copied of copy.querySelectorAll('div:has(> div > button)')) {   /* code, below its head */
      const pre = Object.assign(element('pre', ''), { textContent: copied.querySelector('code')?.textContent ?? '' });
      pre.dataset.language = copied.querySelector('span')?.textContent ?? '';
      copied.replaceWith(pre);
    }
    for (const extra of copy.querySelectorAll('button, svg')) extra.remove();
    for (const [selector, tag] of Object.entries(MEANT)) {
      for (const node of copy.querySelectorAll(selector)) {
        const meant = element(tag, '');
        meant.append(...node.childNodes);
        node.replaceWith(meant);
      }
    }
    for (const link of copy.querySelectorAll('a')) if (/^\[\d+\]$/.test(link.textContent)) link.classList.add('cites');
    return copy;
  }

  function citedIn(answer) {            /* number, title and address of each cited source, by number */
    const found = new Map();
    for (const citation of answer.querySelectorAll(CITATION)) {
      const { number, title } = namedBy(citation);
      if (number) found.set(Number(number), { number, title, url: citation.href });
    }
    return [...found].sort(([a], [b]) => a - b).map(([, source]) => source);
  }

  /* The letters of an answer, with the signs of Markdown, or with those alone that plain text has, too. */
  function written(node, marks) {
    if (node.nodeType === Node.TEXT_NODE) return marks ? node.data.replace(/[\\`*_[\]<>#~|$]/g, '\\$&') : node.data;
    const tag = node.nodeName.toLowerCase();
    const inner = () => [...node.childNodes].map((child) => written(child, marks)).join('');
    const around = (sign) => (marks ? sign + inner() + sign : inner());
    const lines = (first, rest) => first + inner().trim().replaceAll('\n', `\n${rest}`);
    switch (tag) {
      case 'br': return '\n';
      case 'strong': return around('**');
      case 'em': return around('*');
      case 'del': return around('~~');
      case 'code': return marks ? `\`${node.textContent}\`` : node.textContent;
      case 'pre': return marks ? `\`\`\`${/^[a-z]\w*$/.test(node.dataset.language) ? node.dataset.language : ''}\n${node.textContent.trimEnd()}\n\`\`\`\n\n` : `${node.textContent.trimEnd()}\n\n`;
      case 'math': {
        const sign = node.getAttribute('display') === 'block' ? '$$' : '$';
        return sign + (node.querySelector('annotation')?.textContent ?? node.textContent) + sign;
      }
      case 'a': {
        if (node.classList.contains('cites')) return marks ? `[${node.textContent}](${node.href})` : node.textContent;
        if (marks) return `[${inner()}](${node.href})`;
        return node.textContent === node.getAttribute('href') ? node.textContent : `${inner()} (${node.href})`;
      }
      case 'p': return `${inner()}\n\n`;
      case 'blockquote': return `${lines('> ', '> ')}\n\n`;
      case 'li': {
        const numbered = node.parentElement.matches('ol');
        const sign = numbered ? `${node.parentElement.start + [...node.parentElement.children].indexOf(node)}. ` : '- ';
        return `${lines(sign, ' '.repeat(sign.length)).replace(/\n{2,}/g, '\n')}\n`;
      }
      case 'ul': case 'ol': return `${node.parentElement.matches('li') ? '\n' : ''}${[...node.children].map((item) => written(item, marks)).join('')}\n`;
      case 'td': case 'th': return inner().trim().replaceAll('\n', ' ');
      case 'tr': {
        const cells = [...node.children].map((cell) => written(cell, marks));
        if (!marks) return `${cells.join('\t')}\n`;
        const isHead = node.querySelector('th');
        return `| ${cells.join(' | ')} |\n${isHead ? `|${' --- |'.repeat(cells.length)}\n` : ''}`;
      }
      case 'table': return `${[...node.querySelectorAll('tr')].map((row) => written(row, marks)).join('')}\n`;
      default: return /^h[1-6]$/.test(tag) ? `${marks ? `${'#'.repeat(Number(tag[1]))} ` : ''}${inner()}\n\n` : inner();
    }
  }

  const tidy = (words) => words.replace(/\n{3,}/g, '\n\n').trim();

  function plainOf(answer) {
    const sources = citedIn(answer).map(({ number, title, url }) => `[${number}] ${title} — ${url}`);
    return [tidy(written(textOf(answer), false)), sources.join('\n')].filter(Boolean).join('\n\n');
  }

  function markdownOf(answer) {
    const shown = (title) => title.replace(/[\\`*_[\]<>]/g, '\\$&');
    const sources = citedIn(answer).map(({ number, title, url }) => `- [${number}] [${shown(title)}](${url})`);
    const parts = [`# ${shown(questionOf(answer))}`, tidy(written(textOf(answer), true))];
    return `${[...parts, ...(sources.length ? [`## ${t('references')}`, sources.join('\n')] : [])].join('\n\n')}\n`;
  }

  function pageOf(answer) {             /* the text, and below it the cited sources */
    const whole = textOf(answer);
    const sources = citedIn(answer);
    if (sources.length) whole.append(Object.assign(element('h2', ''), { textContent: t('references') }));
    for (const { number, title, url } of sources) {
      const row = element('p', '');
      row.append(`[${number}] `, Object.assign(element('a', ''), { href: url, textContent: title }), ` — ${new URL(url).hostname}`);
      whole.append(row);
    }
    for (const node of whole.querySelectorAll('*'))
      for (const { name } of [...node.attributes]) if (!KEPT.includes(name)) node.removeAttribute(name);
    whole.removeAttribute('class');
    return whole;
  }

  function questionOf(answer) {
    const asked = [...document.querySelectorAll('[data-step-type="user_message"] .message-content')];
    return asked.findLast((one) => one.compareDocumentPosition(answer) & Node.DOCUMENT_POSITION_FOLLOWING)?.textContent.trim() ?? '';
  }

  async function copyAnswer(answer, button) {
    const parts = { 'text/plain': plainOf(answer), 'text/html': pageOf(answer).outerHTML };
    const blobs = Object.entries(parts).map(([type, words]) => [type, new Blob([words], { type })]);
    try {
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    } catch {                           /* no leave, or no https, as in a home network */
      const put = (event) => {
        event.preventDefault();
        for (const [type, words] of Object.entries(parts)) event.clipboardData.setData(type, words);
      };
      document.addEventListener('copy', put, { once: true, capture: true });
      const isCopied = document.execCommand('copy');
      document.removeEventListener('copy', put, true);
      if (!isCopied) return save(parts['text/plain'], 'txt', answer);
    }
    button.firstElementChild.replaceWith(drawing('copied'));
    status.textContent = t('copied');
    setTimeout(() => button.firstElementChild.replaceWith(drawing('copy')), 2000);
  }

  const STYLE = ':root { color-scheme: light dark } body { font: 1rem/1.65 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere } h1 { font-size: 1.5rem; line-height: 1.3 } pre { overflow-x: auto; padding: .75rem; border: 1px solid #8884; border-radius: .4rem } table { border-collapse: collapse } td, th { padding: .3rem .6rem; border: 1px solid #8884 } @media print { body { margin: 0; max-width: none } }';

  function exportAnswer(answer, kind) {
    if (kind === 'md') return save(markdownOf(answer), kind, answer);
    const page = document.implementation.createHTMLDocument(questionOf(answer));
    const meta = (attributes) => page.head.append(Object.assign(page.createElement('meta'), attributes));
    meta({ httpEquiv: 'Content-Security-Policy', content: "default-src 'none'; style-src 'unsafe-inline'" });
    meta({ name: 'viewport', content: 'width=device-width, initial-scale=1' });
    meta({ name: 'referrer', content: 'no-referrer' });
    page.head.append(Object.assign(page.createElement('style'), { textContent: STYLE }));
    page.documentElement.lang = document.documentElement.lang;
    page.body.append(Object.assign(page.createElement('h1'), { textContent: questionOf(answer) }));
    page.body.append(page.importNode(pageOf(answer), true));
    const encoding = '<meta charset="utf-8">';
    save(`<!doctype html>\n${page.documentElement.outerHTML.replace('<head>', `<head>${encoding}`)}\n`, kind, answer);
  }

  function save(words, kind, answer) {
    const name = questionOf(answer).replace(/[^\p{L}\p{N}]+/gu, ' ').trim().slice(0, 60).trim();
    const types = { md: 'text/markdown', html: 'text/html', txt: 'text/plain' };
    const href = URL.createObjectURL(new Blob([words], { type: types[kind] }));
    Object.assign(element('a', ''), { href, download: `${name || t('answer')}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  /* ---- one observer ---- */

  function watch() {
    card.id = 'ws-preview';
    card.hidden = true;
    card.append(site, heading, snippet, missing, open);
    status.setAttribute('role', 'status');
    line.id = 'ws-line';
    line.hidden = true;
    line.setAttribute('role', 'alert');
    line.append(lineWords, lineClose);
    lineClose.setAttribute('aria-label', t('close'));
    lineClose.addEventListener('click', () => { line.hidden = true; });
    document.body.append(line, card, status);
    for (const [picker, word] of Object.entries(PICKERS))
      document.body.append(Object.assign(element('span', ''), { id: `ws-${picker}`, hidden: true, textContent: t(word) }));
    let frame = 0;
    let quiet = 0;
    const observer = new MutationObserver((records) => {
      if (records.some((one) => one.addedNodes.length)) {   /* on a busy machine the next frame is late */
        name();
        dressNew();
      }
      if (shown && !shown.isConnected) stay();
      followPanel();
      tendBox();
      entitle();
      frame ||= requestAnimationFrame(() => { frame = 0; name(); drawLetters(); strike(); drawBars(); });
      clearTimeout(quiet);
      quiet = setTimeout(settle, QUIET_MS);
    });
    observer.observe(document.getElementById('root'), { childList: true, subtree: true, attributeFilter: ['class', 'disabled'] });
    observer.observe(document.body, { childList: true });   /* dialogs */
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', watch);
  else watch();
})();
