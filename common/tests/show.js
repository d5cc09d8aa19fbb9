// SPDX-License-Identifier: MIT
//
// show.js - reads pages of `make show` as a reader does: presses keys and looks at the page.
// show.sh puts it into a separate page, with `PAGES`, and has a browser print that.
// A line for each observation:
//
//     PAGE opened PLACE    with #step=7 in its address
//     PAGE first PLACE     without a step in it
//     PAGE look WHAT VALUE what else a reader sees or does: look()
//     PAGE versus CELLS    a row of what differs, where the page has two traces
//     PAGE step PLACE      each one, on the way to the end
//     PAGE error TEXT      of the page's script
//     PAGE back NUMBER     of steps that looked another way on the way back
//     PAGE unlike STEP ELEMENT TEXT VALUE    a cell of the memory, or a lane of a shuffle, whose text
//                          a reader cannot take for the value of the trace, or cannot see all of
//     PAGE cells NUMBER EMPTY      of all steps: those with a value, and those whose text is left out
//     PAGE short PIXELS TEXT VALUE the same as `unlike`, of the page's function that shortens values
//     PAGE counter NAME VALUE      at the end; so are these four:
//     PAGE met LINE TIMES          of the source
//     PAGE memory ELEMENT VALUE    or `never written`
//     PAGE input SUM               of all that the trace loads from global memory
//     PAGE keys KEY,KEY,... PLACE  where they lead to from the first step; +b is b with shift, and
//                          button1 the first button in the panel of the request
//
// PLACE is `NUMBER FILE LINE LETTER LANES WAITING BOXES ROWS COST | the sentence`: the letter of
// the lanes that act, and how many they are; how many others wait at a barrier; of the request's
// drawing the banks or sectors, or the lanes whose values are not used, and the rows of words; the
// wavefronts or sectors that the sentence gives.
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

// ---- the text of a value: what it may be ----

// The value itself, written otherwise at most, as .5 for 0.5; or nothing. It is never rounded.
function reads_as(text, value) {
  const parts = text.split(','), values = value.split(',');
  return text === '' || text === value || parts.length === values.length &&
    parts.every((part, i) => part === values[i] || part !== '' && isFinite(values[i]) &&
      Number(part) === Number(values[i]) && part.startsWith('-') === values[i].startsWith('-'));
}

// All cells of the memory and all lanes of a shuffle, as they must be after step t. The trace of the
// page is played here once more: `played.memory` is what it has after the steps before this one.
function compare_cells(name, page, trace, t, played) {
  const memory = played.memory, step = trace.steps[t], split = text => (text || '').split(' ');
  if (step.space) {
    const lanes = step.act.toString(2).split('').reverse()
      .flatMap((bit, l) => bit === '1' ? [l] : []);
    const each = Math.max(1, Math.floor(step.bytes / trace.arrays[step.array[0]].element));
    split(step.after).forEach((value, v) => {
      const k = Math.floor(v / each), {element, columns, name: array} = trace.arrays[step.array[k]];
      const i = Math.floor(step.offset[k] / element) + v % each;
      if (step.kind === 'load' && step.unwritten >>> lanes[k] & 1) return;
      memory[array + (columns < 2 ? `[${i}]` : `[${Math.floor(i / columns)}][${i % columns}]`)] =
        value;
    });
  }
  const compare = (element, value, text, fits) => {
    played.cells += 1;
    played.empty += text === '' ? 1 : 0;
    if (!fits || !reads_as(text, value) || text === '' && value.length < 3)
      print(name, 'unlike', t + 1, element.replace(/ /g, '_'), text || '-', value);
  };
  page.querySelectorAll('.memory i').forEach(cell => {
    const at = cell.title.slice(0, cell.title.lastIndexOf('] ') + 1), value = memory[at];
    if (value !== undefined)
      compare(at, value, cell.textContent, cell.scrollWidth <= cell.clientWidth);
    else if (cell.textContent !== '' || !cell.title.endsWith('never written'))
      print(name, 'unlike', t + 1, cell.title, cell.textContent || '-', 'none');
  });
  if (step.kind !== 'shuffle') return;
  const labels = [...page.querySelectorAll('.request text.value')];
  const room = parseFloat(page.querySelector('.view').style.getPropertyValue('--pitch'));
  split(step.before).forEach((value, k) => [[value, '17'], [split(step.after)[k], '75']]
    .forEach(([of, y], i) => {
      const label = labels[2 * k + i];
      compare('lane', of, label.textContent, label.getComputedTextLength() <= room &&
        Number(label.getAttribute('y')) === Number(y) + 12);
    }));
}

// Values of all kinds, and random ones, in all rooms.
function compare_short(name, page) {
  const values = ['10.5', '-20.75', '-10.3433', '0.5', '-0.5', '0.04', '-0.0549', '0.999731', '0',
    '-0', '1', '-1', '100', '-99999', '2147483647', '-9223372036854775808', '123457', '1234.57',
    '1e-20', '-1e-20', '1.23457e-20', '1e+30', '-1e+30', '3.40282e+38', '1.4013e-45', '1e+06',
    '-9.99999e+09', '1e-05', '65504', '6.104e-05', '0.3333', 'nan', 'inf', '-inf', '0x3e00',
    '0x3feed51ac12e3f94',
    '10.5,-20.75,nan,1e+30', '0.731058,-0.731058'];
  let seed = 1;
  const random = () => (seed = seed * 48271 % 2147483647) / 2147483647;
  for (let i = 0; i < 1000; i++) {
    const x = Number(((random() - 0.5) * 10 ** Math.floor(random() * 12 - 5)).toPrecision(6));
    values.push(String(x).replace(/e([-+])(\d)$/, 'e$10$2'));
  }
  values.forEach(value => {
    for (let room = 0; room <= 100; room += 3) {
      const text = page.short(value, room);
      if (!reads_as(text, value)) print(name, 'short', room, text, value);
    }
    if (page.short(value, 1000) !== value) print(name, 'short', 1000, page.short(value, 1000), value);
  });
}

// ---- what else a reader sees and does ----

const tick = () => new Promise(done => setTimeout(done, 50));

// Of all texts in sight the smallest, in pixels: drawings may be scaled.
function smallest_text(page, view) {
  const sizes = [...page.querySelectorAll('body *')].filter(node => node.getClientRects().length &&
    [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim()));
  return Math.min(...sizes.map(node => parseFloat(view.getComputedStyle(node).fontSize) *
    (node.getScreenCTM ? node.getScreenCTM().d : 1)));
}

// Does the head of a panel that has scrolled hide a part of a row?
function rows_cut({children: [head, ...rows]}) {
  const edge = head.getBoundingClientRect().bottom;
  return rows.map(row => row.getBoundingClientRect())
    .some(({top, bottom}) => top < edge - 1 && bottom > edge + 1);
}

async function look(name, frame) {
  const page = frame.contentDocument, view = frame.contentWindow;
  const see = (what, ...value) => print(name, 'look', what, ...value);
  const all = selector => [...page.querySelectorAll(selector)];
  const text = selector => page.querySelector(selector).textContent.replace(/\s+/g, ' ').trim();
  const place = () => text('#place').split(' ')[1], click = selector => page.querySelector(selector).click();
  const key = (key, shiftKey = false, from = page.body) => !from.dispatchEvent(
    new view.KeyboardEvent('keydown', {key, shiftKey, bubbles: true, cancelable: true}));
  const lit = () => ['.request', '.warps', '.memory'].map(part => all(part + ' .lit').length).join(' ');
  const size = async (width, height) => {
    [frame.width, frame.height] = [width, height];
    page.body.getBoundingClientRect();
    view.dispatchEvent(new view.Event('resize')); // a frame out of sight comes to it late
  };

  see('title', page.title);
  see('text', smallest_text(page, view) > 10.99 ? 'readable' : smallest_text(page, view));
  see('unnamed', all('button:not([hidden])').filter(button =>
    !/[a-z]/i.test(button.getAttribute('aria-label') || button.textContent)).length);
  see('alike', all('nav button').length -
    new Set(all('nav button').map(b => b.getAttribute('aria-label') || b.textContent)).size);
  see('found', page.querySelector('#found').hidden ? 'nothing' : text('#found'));
  see('dearest', text('.dearest'));
  see('captions', all('.caption:not(.lane-text)').filter(node => !node.textContent.trim()).length);
  const legend = text('.source .caption') + all('#help dt').map(node => node.textContent).join(' ');
  see('unexplained', ...['met', 'wavef.', 'sectors', 'ideal', 'L', 'S', 'A', 'B', 'X', 'V', 'W', 'E']
    .filter(word => !legend.split(/[^a-zA-Z.]+/).includes(word)));
  const bars = new Set(all('#marks .conflict').map(bar => /v([.\d]+)/.exec(bar.getAttribute('d'))[1]));
  see('heights', bars.size);
  for (const media of ['forced-colors: active', 'print'])
    see(media.slice(0, 6), [...page.styleSheets[0].cssRules].some(rule => rule.conditionText &&
      rule.conditionText.includes(media.replace(/^print$/, 'print')) &&
      /(forced|print)-color-adjust: (none|exact)/.test(rule.cssText)));

  see('no-room', !page.querySelector('.no-room').hidden);
  key('f');
  see('other', text('#said'));
  key('End');
  see('steps', place());
  key('f');
  see('none', text('#said'));
  click('#play');
  see('again', place());
  click('#play');
  click('[data-key=w]');
  see('worst', observe(page));
  see('cut', all('.code, .warps, .memory').filter(rows_cut).length);
  see('said', text('#said'));
  click('[data-key=w]');
  see('worse', observe(page));
  click('[data-key=b]:not([data-back])');
  see('scrolls', !key('ArrowDown'), place()); // no warp acts where a barrier opens
  click('[data-key=c][data-back]');
  see('back', observe(page));
  page.querySelector('.code').focus();
  see('panel', !key('ArrowDown', false, page.querySelector('.code')));
  page.activeElement.blur();

  key('Home');
  const lane = page.querySelector('.lane[data-lane="3"]');
  if (lane) { // of two: in the first
    lane.dispatchEvent(new view.PointerEvent('pointerover', {bubbles: true}));
    see('pointed', lit(), text('.lane-text'));
    see('wires', all('.request .lit .wire').length);
    page.body.dispatchEvent(new view.PointerEvent('pointerover', {bubbles: true}));
    all('.view')[0].dispatchEvent(new view.PointerEvent('pointerover', {bubbles: true}));
    see('left', lit());
    lane.dispatchEvent(new view.FocusEvent('focusin', {bubbles: true}));
    see('focused', lit());
    lane.dispatchEvent(new view.MouseEvent('click', {bubbles: true}));
    key('ArrowRight');
    see('followed', all('.lane.lit').map(node => node.dataset.lane).join(' '));
    key('l');
    see('next', all('.lane.lit').map(node => node.dataset.lane).join(' '));
    key('Escape');
    see('none', lit());
  }

  const help = page.querySelector('#help'), closed = how => see('closed', how, !help.open);
  key('?');
  see('help', help.open);
  key('Tab');
  see('help', help.open); // Tab leads to its button
  click('#help button');
  await tick();
  closed('button');
  key('?');
  help.dispatchEvent(new view.MouseEvent('click', {bubbles: true})); // beside its content
  closed('tap');

  const wide = node => node.scrollWidth > node.clientWidth;
  await size(375, 800);
  see('narrow', wide(page.documentElement), wide(page.querySelector('.panels')),
    smallest_text(page, view) > 10.99);
  await size(640, 400);
  view.scrollTo(0, 10000);
  const {bottom} = page.querySelector('header').getBoundingClientRect();
  see('zoomed', bottom < 130 && bottom > 20, all('footer').length);
  for (const width of [981, 1000, 1280]) { // of two: side by side
    await size(width, 800);
    see('lanes', width, all('.panels').filter(wide).length);
  }
  view.scrollTo(0, 0);
  see('request', page.querySelector('.request').getBoundingClientRect().bottom < 800);
}

// A watched page shows the checker's verdict. When a newer page is announced it reloads itself, and
// stays at its step.
async function look_again(name, frame) {
  const see = (what, ...value) => print(name, 'look', what, ...value);
  const text = selector => frame.contentDocument.querySelector(selector).textContent.trim();
  const verdict = async () => { for (let i = 0; i < 100 && !text('#watched summary'); i++) await tick(); };
  await verdict();
  see('said', text('#watched summary') + ', ' + text('#watched pre'));
  frame.contentWindow.location.hash = '#step=40';
  await tick();
  const loaded = new Promise(done => { frame.onload = done; });
  frame.contentWindow.watched({page: '1.2'});
  await loaded;
  await verdict();
  see('reloaded', 'at', text('#place').split(' ')[1] + ',', frame.contentDocument.title);
}

// ---- the pages ----

async function open_page(name) {
  const frame = document.createElement('iframe');
  frame.width = 1280;
  frame.height = 800;
  frame.src = name;
  document.body.append(frame);
  await new Promise(done => { frame.onload = done; });
  return frame;
}

async function read(name, keys) {
  const first = await open_page(name + '.html');
  print(name, 'first', observe(first.contentDocument));
  if (first.contentDocument.querySelector('#watched')) return look_again(name, first);
  await look(name, first);
  first.remove();
  const frame = await open_page(name + '.html#step=7'), page = frame.contentDocument;
  frame.contentWindow.onerror = message => print(name, 'error', message);
  const press = key => page.body.dispatchEvent(new frame.contentWindow.KeyboardEvent('keydown',
    {key: key.replace('+', ''), shiftKey: key.startsWith('+'), bubbles: true}));
  const whole = () => ['#sentences', 'main'].map(part => page.querySelector(part).innerHTML).join()
    .replace(/<details.*?>/g, '');
  print(name, 'opened', observe(page));
  press('Home');
  const traces = JSON.parse(page.querySelector('#traces').textContent);
  const played = {cells: 0, empty: 0, memory: {}};
  const two = page.querySelector('.versus'), seen = [];
  const steps = two ? 0 : Number(page.querySelector('#scrubber').max); // of two not each one
  const rows = selector => [...page.querySelectorAll(selector)].map(row =>
    [...row.cells].map(cell => cell.textContent));
  rows('.versus tr').forEach(row => print(name, 'versus', ...row));
  for (let i = 1; i <= steps; i++) {
    print(name, 'step', observe(page));
    seen.push(whole());
    compare_cells(name, page, traces[0], i - 1, played);
    press('ArrowRight');
  }
  if (steps) print(name, 'cells', played.cells, played.empty);
  if (name === Object.keys(PAGES)[0]) compare_short(name, frame.contentWindow);
  rows('.counters tr').forEach(([counter, value]) =>
    value === '' || print(name, 'counter', counter, value));
  page.querySelectorAll('.code .met').forEach(line => print(name, 'met',
    ...[line.children[0], line.children[2]].map(part => part ? /\d*$/.exec(part.textContent)[0] : 0)));
  page.querySelectorAll('.memory i').forEach(cell => print(name, 'memory', cell.title));
  print(name, 'input', traces[0].steps.filter(s => s.kind === 'load' && s.space === 'global')
    .flatMap(s => s.after.split(' ')).reduce((sum, value) => sum + Number(value), 0));
  let different = 0;
  for (let i = steps; i > 0; i--, press('ArrowLeft')) different += seen[i - 1] === whole() ? 0 : 1;
  print(name, 'back', different);
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
