// SPDX-License-Identifier: MIT
//
// show.js - reads pages of `make show` as a reader does: presses keys and looks at what stands in
// the page. show.sh puts it into a page of its own, with `PAGES`, and has a browser print that.
// A line for each observation:
//
//     PAGE opened PLACE    with #step=7 in its address
//     PAGE versus CELLS    a row of what differs, where the page has two traces
//     PAGE step PLACE      each one, on the way to the end
//     PAGE error TEXT      of the page's script; or a NaN, which memory holds before it is written
//     PAGE back NUMBER     of steps that looked another way on the way back
//     PAGE counter NAME VALUE      at the end; so are these two:
//     PAGE memory ELEMENT VALUE    or `never written`
//     PAGE keys KEY,KEY,... PLACE  where they lead to from the first step; +b is b with shift, and
//                          button1 the first button in the panel of the request
//
// PLACE is `NUMBER FILE LINE LETTER LANES WAITING BOXES ROWS COST | the sentence`: the letter of
// the lanes that act, and how many they are; how many others wait at a barrier; of the request's
// drawing the banks or sectors, or the lanes that get what nobody uses, and the rows of words; the
// wavefronts or sectors that the sentence tells.
'use strict';

const lines = [];
const print = (...words) => lines.push(words.join(' '));

function observe(page) {
  const all = selector => [...page.querySelectorAll(selector)];
  const text = selector => all(selector).map(node => node.textContent).join(' ');
  const different = (type, name) =>
    new Set(all('.request rect.' + type).map(box => box.getAttribute(name))).size;
  const sentence = text('.sentence'), global = / sectors?\b/.test(sentence);
  const count = (type, y) =>
    all('.request rect.' + type).filter(box => box.getAttribute('y') === y).length;
  return [text('#place').split(' ')[1], text('.code .head code'),
    text('.code .here span').split(/\D+/)[1] || 0,
    text('.warps i.act')[0] || '-', all('.warps i.act').length, all('.warps i.wait').length,
    global ? count('cell', '60') : different('word', 'x') || count('idle', '75'),
    different('word', 'y'),
    (/(\d+) (wavefront|sector)/.exec(sentence) || [0, 0])[1], '|', sentence].join(' ');
}

async function read(name, keys) {
  const frame = document.createElement('iframe');
  frame.width = 1280;
  frame.height = 900;
  frame.src = name + '.html#step=7';
  document.body.append(frame);
  await new Promise(done => { frame.onload = done; });
  const page = frame.contentDocument;
  frame.contentWindow.onerror = message => print(name, 'error', message);
  const press = key => page.body.dispatchEvent(new frame.contentWindow.KeyboardEvent('keydown',
    {key: key.replace('+', ''), shiftKey: key.startsWith('+'), bubbles: true}));
  const whole = () => page.querySelector('main').innerHTML.replace(/<details.*?>/g, '');
  print(name, 'opened', observe(page));
  press('Home');
  frame.hidden = true; // quicker: nothing is laid out
  const two = page.querySelector('.versus'), seen = [];
  const steps = two ? 0 : Number(page.querySelector('#scrubber').max); // of two not each one
  const rows = selector => [...page.querySelectorAll(selector)].map(row =>
    [...row.cells].map(cell => cell.textContent));
  rows('.versus tr').forEach(row => print(name, 'versus', ...row));
  for (let i = 1; i <= steps; i++) {
    print(name, 'step', observe(page));
    seen.push(whole());
    if (page.querySelector('.memory [title$=nan]')) print(name, 'error', 'old memory at step', i);
    press('ArrowRight');
  }
  rows('.counters tr').forEach(([counter, value]) =>
    value === '' || print(name, 'counter', counter, value));
  page.querySelectorAll('.memory i').forEach(cell => print(name, 'memory', cell.title));
  let different = 0;
  for (let i = steps; i > 0; i--, press('ArrowLeft')) different += seen[i - 1] === whole() ? 0 : 1;
  print(name, 'back', different);
  frame.hidden = false;
  keys.forEach(list => {
    press('Home');
    list.split(',').forEach(key => key.startsWith('button')
      ? (page.querySelectorAll('.request button')[key.slice(6) - 1] || page.body).click()
      : press(key));
    print(name, 'keys', list, observe(page));
  });
  frame.remove();
}

(async () => {
  for (const [name, keys] of Object.entries(PAGES)) await read(name, keys);
  document.querySelector('pre').textContent = lines.join('\n') + '\nend\n';
})();
