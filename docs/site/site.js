// site.js: the theme, the menu, the box of the search, buttons that copy, live views on a click.
(function () {
  'use strict';
  const root = document.documentElement, base = root.dataset.base;
  const $ = (selector) => document.querySelector(selector);
  const make = (tag, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  };

  // ---- theme and menu ----
  $('#theme').addEventListener('click', () => {
    const next = root.dataset.theme === 'dark' ? 'light' : 'dark';
    root.dataset.theme = next;
    try { localStorage.setItem('theme', next); } catch { /* pages of files may have no storage */ }
  });
  const menu = $('#menu');
  menu.addEventListener('click', () => menu.setAttribute('aria-expanded', String(document.body.classList.toggle('menu-open'))));
  const here = $('.side [aria-current]');
  if (here && here.offsetParent) here.scrollIntoView({ block: 'nearest' });

  // ---- copying: of commands, without what they print ----
  for (const pre of document.querySelectorAll('pre[data-copy]')) {
    const button = make('button', { className: 'copy', type: 'button', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      const commands = [...pre.querySelectorAll('.cmd')].map((c) => c.textContent);
      await navigator.clipboard.writeText(commands.length ? commands.join('\n') : pre.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1200);
    });
    pre.append(button);
  }

  // ---- live views ----
  for (const live of document.querySelectorAll('.live[data-view]')) {
    const button = live.querySelector('button');
    button.hidden = false;
    button.addEventListener('click', () => {
      const frame = make('iframe', { src: base + live.dataset.view, title: live.dataset.title, allowFullscreen: true });
      live.querySelector('img')?.remove();
      button.replaceWith(frame);
    });
  }

  // ---- where the reader is ----
  const links = new Map([...document.querySelectorAll('.toc a')].map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
  if (links.size && 'IntersectionObserver' in window) {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        for (const a of links.values()) a.classList.remove('here');
        links.get(entry.target.id).classList.add('here');
      }
    }, { rootMargin: '-60px 0px -75% 0px' });
    for (const id of links.keys()) {
      const heading = document.getElementById(id);
      if (heading) seen.observe(heading);
    }
  }

  // ---- search ----
  const box = $('#search'), list = $('#results');
  const KINDS = { recipe: 'recipe', guide: 'guide', rule: 'diagnostic', verb: 'command', format: 'format', heading: 'section', symbol: 'interface', field: 'field', page: 'page' };
  let chosen = 0, loading = null;
  const load = () => (loading ??= new Promise((done, fail) => {
    if (window.dioramaIndex) return done();
    document.head.append(make('script', { src: base + 'search-index.js', onload: done, onerror: fail }));
  }));
  const marked = (text, query) => {
    const words = query.toLowerCase().split(/\s+/).filter((w) => w.length > 1).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (!words.length) return [text];
    return text.split(new RegExp(`(${words.join('|')})`, 'gi')).map((piece, i) => (i % 2 ? make('mark', { textContent: piece }) : piece));
  };
  /** The part of a text around the first word of the query. */
  const part = (text, query) => {
    const at = text.toLowerCase().indexOf(query.toLowerCase().split(/\s+/)[0]);
    return at > 60 ? '… ' + text.slice(text.indexOf(' ', at - 40) + 1) : text;
  };
  const choose = (next) => {
    const items = list.querySelectorAll('a');
    if (!items.length) return;
    items[chosen]?.setAttribute('aria-selected', 'false');
    chosen = (next + items.length) % items.length;
    items[chosen].setAttribute('aria-selected', 'true');
    items[chosen].scrollIntoView({ block: 'nearest' });
    box.setAttribute('aria-activedescendant', items[chosen].id);
  };
  const close = () => { list.hidden = true; box.setAttribute('aria-expanded', 'false'); };
  async function show() {
    const query = box.value.trim();
    if (!query) return close();
    try { await load(); } catch { return; }
    if (box.value.trim() !== query) return;
    const found = window.dioramaSearch(window.dioramaIndex, query);
    list.replaceChildren(...found.map(({ entry: [kind, title, address, context, text] }, i) => {
      const item = make('a', { href: base + address, id: 'result-' + i, role: 'option' },
        make('b', {}, ...marked(title, query)), make('em', { textContent: KINDS[kind] }), make('span', {}, context ? context + (text ? ' — ' : '') : '', ...marked(part(text, query), query)));
      item.setAttribute('aria-selected', 'false');
      item.addEventListener('mousemove', () => chosen !== i && choose(i));
      item.addEventListener('click', close);
      return item;
    }));
    if (!found.length) list.append(make('p', { textContent: `Nothing has all of these words: ${query}` }));
    list.hidden = false;
    box.setAttribute('aria-expanded', 'true');
    chosen = 0;
    choose(0);
  }
  box.addEventListener('input', show);
  box.addEventListener('focus', () => { load().catch(() => {}); if (box.value) show(); });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      list.querySelectorAll('a')[chosen]?.click();
    } else if (event.key === 'Escape') {
      box.value = '';
      close();
      box.blur();
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
    if ((event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  });
  document.addEventListener('click', (event) => { if (!event.target.closest('.search')) close(); });
})();
