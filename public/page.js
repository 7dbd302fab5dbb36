/* Small additions to Chainlit's page: previews of citations, folded lists of sources, names for nameless buttons.

   An answer is complete without this file. Link titles that only the server writes are the hooks: "[" is a citation,
   "↗" a source. Text goes in through textContent; nodes that React owns get attributes, and a list one button.
   Chainlit builds a whole answer anew at every streamed piece: nothing here reads an answer before it has been quiet. */
(() => {
  'use strict';

  const CITATION = '.message-content a:is([title^="["], [data-ws-title])';
  const SOURCE = '.message-content li > a[title^="↗"]';
  const TONES = ['192 80% 27%', '262 42% 48%', '338 55% 42%', '24 78% 34%', '150 60% 25%', '216 58% 44%'];
  const QUIET_MS = 180;
  const MANY = 8;                       /* an answer with more sources than this is folded */
  const PLACES = 6;                     /* to this many, or to all cited ones */

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
    const [, number, title] = /^\[(\d+)\]\s*(.*)$/s.exec(citation.dataset.wsTitle) ?? ['', '', ''];
    const sources = sourcesOf(citation);
    mark(site, domain(citation));
    const evidence = evidenceOf(citation);
    const place = evidence?.quote ? `${domain(citation)} · ${evidence.kind}` : first(sources, ':scope > code');
    site.textContent = `${place || domain(citation)} · [${number}]`;   /* with the kind of text */
    heading.textContent = title.replace(/\s+—\s+\S+$/, '');
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
    const number = /^\[(\d+)\]/.exec(citation.dataset.wsTitle || citation.title)?.[1];
    return found && String(found.number) === number ? found : null;
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

  const citationAt = (event) => event.target.closest?.(CITATION);
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

  /* ---- lists of sources ---- */

  const sourceOf = (item) => item.querySelector(':scope > a[title^="↗"]');

  function dress(answer) {
    const lists = [...new Set([...answer.querySelectorAll('li > a[title^="↗"]')].map((source) => source.closest('ul, ol')))];
    const items = lists.map((list) => [...list.children].filter(sourceOf));
    const signs = items.map((some) => `${some.length}/${items.flat().length}`);
    if (lists.every((list, n) => list.dataset.wsSources === signs[n])) return;
    lists.forEach((list, n) => {
      list.dataset.wsSources = signs[n];
      list.setAttribute('aria-label', t('sources', { count: items[n].length }));
      for (const item of items[n]) mark(item, domain(sourceOf(item)));
    });
    if (answer.closest('[data-step-type="tool"]')) return;
    fold(answer, lists, items.flat());
    if (lists.length && answer === [...document.querySelectorAll('.message-content')].at(-1)) goBack(lists[0]);
  }

  const returned = new WeakSet();       /* reports that were scrolled to their beginning */

  function goBack(list) {               /* Chainlit scrolls to the end of the sources; the answer above them is to be read */
    const scroller = list.closest('.overflow-y-auto');
    const question = [...document.querySelectorAll('[data-step-type="user_message"]')].at(-1);
    if (!scroller || !question || scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 10) return;
    const topOf = (node) => node.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    const report = list.closest('.step:has(> div svg.lucide-scroll-text)');
    if (returned.has(report)) return;   /* a report is written in many pieces, and is read meanwhile */
    if (report) returned.add(report);
    const by = report ? topOf(report) - 20 : Math.max(topOf(list) - scroller.clientHeight * .6, topOf(question) - 20);
    if (by < 0) scroller.scrollBy({ top: by });
  }

  function fold(answer, lists, items) { /* all lists of an answer together, with one button */
    const extra = extraOf(answer, items);
    answer.querySelector('.ws-more')?.remove();
    for (const item of items) item.toggleAttribute('data-ws-extra', extra.has(item));
    for (const list of lists) {         /* hides headings without visible items */
      const heading = list.previousElementSibling;
      const isHidden = [...list.children].every((item) => extra.has(item));
      if (heading?.matches('h4, h5')) heading.toggleAttribute('data-ws-extra', isHidden);
      list.toggleAttribute('data-ws-extra', isHidden && list !== lists.at(-1));   /* which holds the button */
    }
    answer.toggleAttribute('data-ws-folded', extra.size > 0);
    if (extra.size) lists.at(-1).append(unfolder(answer, extra.size));
  }

  function extraOf(answer, items) {     /* cited sources stay visible, once, then the first others up to PLACES */
    const cited = new Set([...answer.querySelectorAll(CITATION)].map((citation) => citation.href));
    const kept = new Map();             /* by address: rounds may repeat a page */
    const keep = (item) => kept.has(sourceOf(item).href) || kept.set(sourceOf(item).href, item);
    for (const item of items) if (cited.has(sourceOf(item).href)) keep(item);
    for (const item of items) if (kept.size < PLACES) keep(item);
    const extra = items.filter((item) => kept.get(sourceOf(item).href) !== item);
    return new Set(items.length > MANY && extra.length > 1 ? extra : []);
  }

  function unfolder(answer, count) {
    const button = Object.assign(element('button', ''), { type: 'button' });
    const draw = (folded) => {
      answer.toggleAttribute('data-ws-folded', folded);
      button.dataset.label = folded ? t('show_more', { count }) : t('show_fewer');
      button.setAttribute('aria-label', button.dataset.label);
      button.setAttribute('aria-expanded', String(!folded));
    };
    button.addEventListener('click', () => {
      const folded = !answer.hasAttribute('data-ws-folded');
      draw(folded);
      if (folded) button.scrollIntoView({ block: 'nearest' });   /* it has moved far */
    });
    draw(true);
    const row = element('li', 'ws-more');
    row.append(button);
    return row;
  }

  function wait() {                     /* marks the step after which the model thinks; Chainlit shows nothing for that */
    const last = [...document.querySelectorAll('.step')].at(-1);
    const isDone = last?.matches('[data-step-type="tool"]:last-child') && !last.parentElement.querySelector('.loading-shimmer');
    const waiting = isDone && document.getElementById('stop-button') ? last : null;
    for (const other of document.querySelectorAll('.step[data-ws-waiting]')) if (other !== waiting) other.removeAttribute('data-ws-waiting');
    waiting?.setAttribute('data-ws-waiting', '');
    const aside = before(last);
    if (aside !== last && aside?.matches('[data-step-type="assistant_message"]')) aside.setAttribute('data-ws-aside', '');
  }

  function before(step) {               /* the element above a row of searches */
    while (step?.matches('[data-step-type="tool"]')) step = step.previousElementSibling;
    return step;
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
    for (const logo of document.querySelectorAll('img.rounded-full:not([alt])')) logo.alt = '';
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
    for (const answer of document.querySelectorAll('.message-content')) {
      dress(answer);
      foldNote(answer);
    }
    markValues();
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
    isNews = document.hidden && (isNews || (wasBusy && !isBusy));
    wasBusy = isBusy;
    const question = document.querySelector('[data-step-type="user_message"] .message-content')?.textContent.trim();
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

  /* ---- copying: Chainlit copies the Markdown of a message; its escapes are no letters of it ---- */

  const ESCAPED = /(`+)(?!`)[^]+?(?<!`)\1(?!`)|\\([!-/:-@[-`{-~])|&#(12304|65339);/g;
  const letters = (words) => words.replace(ESCAPED, (all, _, sign, wide) => sign ?? (wide ? String.fromCharCode(wide) : all));

  window.ClipboardItem &&= class extends ClipboardItem {
    constructor(parts, options) {
      const plain = parts['text/html'] && parts['text/plain'];   /* code is copied without HTML, and stays as it is */
      const copied = async () => new Blob([letters(await (await plain).text())], { type: 'text/plain' });
      super(plain ? { ...parts, 'text/plain': copied() } : parts, options);
    }
  };

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
      if (records.some((one) => one.addedNodes.length)) name();   /* on a busy machine the next frame is late */
      if (shown && !shown.isConnected) stay();
      followPanel();
      tendBox();
      entitle();
      frame ||= requestAnimationFrame(() => { frame = 0; name(); wait(); strike(); });
      clearTimeout(quiet);
      quiet = setTimeout(settle, QUIET_MS);
    });
    observer.observe(document.getElementById('root'), { childList: true, subtree: true, attributeFilter: ['class', 'disabled'] });
    observer.observe(document.body, { childList: true });   /* dialogs */
  }

  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', watch);
  else watch();
})();
