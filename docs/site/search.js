// search.js: what matches a query, best first. `index` is a list of [kind, title, address, context, text].
(function (root) {
  'use strict';
  const WEIGHTS = { recipe: 12, guide: 14, rule: 10, verb: 14, format: 13, heading: 8, symbol: 9, field: 6, page: 10 };
  const USUAL = new Set('a an and are as at be by do does file files for from how i in is it my of on or that the this to want what which with'.split(' '));

  const fold = (text) => text.toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '');

  /** How well a word of the query stands in a text: 0, inside of a word, at its start, as a whole word. */
  function standing(text, word) {
    let best = 0;
    for (let at = text.indexOf(word); at >= 0 && best < 3; at = text.indexOf(word, at + 1)) {
      const starts = at === 0 || !/[a-z0-9]/.test(text[at - 1]);
      const after = text[at + word.length];
      const ends = after === undefined || !/[a-z0-9]/.test(after);
      best = Math.max(best, starts && ends ? 3 : starts ? 2 : 1);
    }
    return best;
  }

  /** The word with the usual endings of English off, so that "textures" finds "texture". */
  const stem = (word) => (word.length > 4 && !/[0-9._-]/.test(word) ? word.replace(/(ies|es|s|ing|ed)$/, (e) => (e === 'ies' ? 'y' : '')) : word);

  const folded = new WeakMap();
  function foldedOf(entry) {
    let f = folded.get(entry);
    if (!f) folded.set(entry, (f = [fold(entry[1]), fold(entry[3]), fold(entry[4])]));
    return f;
  }

  function scoreOf(entry, query, words) {
    const [title, context, text] = foldedOf(entry);
    let score = 0;
    for (const { word, stemmed, usual } of words) {
      const inTitle = Math.max(standing(title, word), stemmed === word ? 0 : standing(title, stemmed) * 0.9);
      const inContext = inTitle ? 0 : Math.max(standing(context, word), standing(context, stemmed) * 0.9);
      const inText = inTitle || inContext ? 0 : Math.max(standing(text, word), standing(text, stemmed) * 0.9);
      if (!inTitle && !inContext && !inText) {
        if (!usual) return 0;
        continue;
      }
      score += (usual ? 0.1 : 1) * ([0, 12, 26, 34][Math.ceil(inTitle)] + inContext * 5 + inText * 2.5);
    }
    if (!score) return 0;
    if (title === query) score += 90;
    else if (title.startsWith(query)) score += 30;
    else if (title.includes(query)) score += 18;
    else if (text.includes(query)) score += 6;
    return score / words.length + WEIGHTS[entry[0]] - Math.min(title.length, 80) / 16;
  }

  function search(index, typed, limit = 20) {
    const query = fold(typed.trim()).replace(/\s+/g, ' ');
    let words = query.split(/[\s,;:()"'`]+/).filter(Boolean).map((word) => ({ word, stemmed: stem(word), usual: USUAL.has(word) }));
    if (words.every((w) => w.usual)) words = words.map((w) => ({ ...w, usual: false }));
    if (!words.length) return [];
    const found = [];
    for (const entry of index) {
      const score = scoreOf(entry, query, words);
      if (score > 0) found.push({ entry, score });
    }
    return found.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  root.dioramaSearch = search;
  if (typeof module !== 'undefined') module.exports = { search };
})(typeof window === 'undefined' ? globalThis : window);
