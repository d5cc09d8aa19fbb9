// SPDX-License-Identifier: MIT
//
// show.js - reads pages of `make show` as a reader does: presses keys and looks at what stands in
// the page. show.sh puts it into a page of its own, with `PAGES`, and has a browser print that.
// A line for each observation:
//
//     PAGE step NUMBER LINE LETTER LANES COLUMNS ROWS | the sentence
//     PAGE back NUMBER       of steps that looked another way when they were left backwards
//     PAGE counter NAME VALUE
//     PAGE key KEYS NUMBER   the step that they lead to from the first one
'use strict';

const out = document.querySelector('pre');
const print = (...words) => { out.textContent += words.join(' ') + '\n'; };

function observe(page) {
  const all = selector => [...page.querySelectorAll(selector)];
  const text = selector => all(selector).map(node => node.textContent).join(' ');
  const different = name => new Set(all('.request rect.word').map(r => r.getAttribute(name))).size;
  return [text('#place').replace(/step (\d+) of.*/, '$1'),
    text('.code .here span').replace(/[^0-9 ]/g, '').trim().split(' ')[0] || 0,
    (all('.warps i.act')[0] || {textContent: '-'}).textContent, all('.warps i.act').length,
    different('x'), different('y'), '|', text('.sentence')].join(' ');
}

async function read(name, keys) {
  const frame = document.createElement('iframe');
  frame.width = 1280;
  frame.height = 900;
  frame.src = name + '.html';
  document.body.append(frame);
  await new Promise(done => { frame.onload = done; });
  const page = frame.contentDocument;
  const press = key => page.body.dispatchEvent(new frame.contentWindow.KeyboardEvent('keydown',
    {key: key.replace('+', ''), shiftKey: key.startsWith('+'), bubbles: true}));
  const whole = () => page.querySelector('main').innerHTML.replace(/<details.*?>/g, '');
  const steps = Number(page.querySelector('#scrubber').max), seen = [];
  for (let i = 1; i <= steps; i++) {
    print(name, 'step', observe(page));
    seen.push(whole());
    press('ArrowRight');
  }
  page.querySelectorAll('.all tr').forEach(row => {
    const [counter, value] = [...row.cells].map(cell => cell.textContent);
    if (value !== '') print(name, 'counter', counter, value);
  });
  let different = 0;
  for (let i = steps; i > 0; i--, press('ArrowLeft')) different += seen[i - 1] === whole() ? 0 : 1;
  print(name, 'back', different);
  keys.forEach(list => {
    press('Home');
    list.split(' ').forEach(press);
    print(name, 'key', list.replace(/ /g, ','), observe(page));
  });
  frame.remove();
}

(async () => {
  for (const [name, keys] of Object.entries(PAGES)) await read(name, keys);
  print('end');
})();
