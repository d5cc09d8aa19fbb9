// SPDX-License-Identifier: MIT
//
// watch.js - of a page that `make watch` writes: shows what the checker says, and loads the page
// again, at the step where it is, when it is drawn anew. It asks a file beside the page twice a
// second, PAGE.html.js, which calls `watched`: a page that is a file may load scripts, and no data.
// WATCH, which show.sh writes above, numbers the page.

(() => {
  const name = location.pathname.split('/').pop(), title = document.title;
  const panel = document.createElement('section');
  let shown = ''; // the news

  panel.id = 'watched';
  panel.setAttribute('aria-label', 'make watch');
  panel.innerHTML = '<details><summary><span aria-live="polite"></span></summary>' +
    '<pre tabindex="0"></pre></details>';
  document.body.prepend(panel);

  // Counters that are others than on the page before this one.
  function changes() {
    const now = typeof traces === 'object' && traces.length ? traces[0].counters : {};
    let kept = JSON.parse(sessionStorage.getItem(name)) || {now};
    if (kept.page !== WATCH) kept = {page: WATCH, now, before: kept.now};
    sessionStorage.setItem(name, JSON.stringify(kept));
    return Object.keys(now).filter(key => kept.before[key] !== undefined &&
      kept.before[key] !== now[key]).map(key => `${key} ${kept.before[key]} \u2192 ${now[key]}`);
  }

  window.watched = news => {
    const [details, said, pre] = panel.querySelectorAll('details, span, pre');
    if (WATCH !== news.page) return location.reload();
    if (shown === JSON.stringify(news)) return;
    shown = JSON.stringify(news);
    details.className = news.state;
    details.open = /wrong|broken/.test(news.state);
    const others = news.state === 'broken' ? '' : changes().join(', ');
    said.textContent = news.said + (others && `; since the page before: ${others}`);
    pre.textContent = news.text;
    document.title = `${news.said}: ${title}`;
  };

  const ask = () => {
    if (document.hidden) return;
    const script = document.createElement('script');
    script.src = `${name}.js?${Date.now()}`;
    script.onload = script.onerror = () => script.remove();
    document.head.append(script);
  };
  setInterval(ask, 500);
  ask();
})();
