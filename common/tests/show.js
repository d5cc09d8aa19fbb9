// SPDX-License-Identifier: MIT
//
// show.js - reads pages of `make show` as a reader does: presses keys and looks at what stands in
// the page. show.sh puts it into a page of its own, with `PAGES`, and has a browser print that.
// A line for each observation:
//
//     PAGE opened PLACE    with #step=7 in its address
//     PAGE versus CELLS    a row of what differs, where the page has two traces
//     PAGE step PLACE      each one, on the way to the end
//     PAGE error TEXT      of the page's script
//     PAGE back NUMBER     of steps that looked another way on the way back
//     PAGE unlike STEP ELEMENT TEXT VALUE    a cell of the memory, or a lane of a shuffle, whose text
//                          a reader cannot take for the value of the trace, or cannot see all of
//     PAGE cells NUMBER EMPTY      of all steps: those with a value, and those whose value has decimals
//                          and lies between 0.01 and 100, and that have no text all the same
//     PAGE short PIXELS TEXT VALUE the same as `unlike`, of the page's function that cuts values
//     PAGE counter NAME VALUE      at the end; so are these three:
//     PAGE met LINE TIMES          of the source
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

// ---- the text of a value: what it may be ----

// It may lack decimals, if it is rounded right, has one decimal at least, and is near the value.
function reads_as(text, value) {
  const number = /^(-?)\d*(?:\.(\d+))?(?:e(-?\d+))?$/.exec(text), x = Number(value);
  if (text === '' || text === value) return true;
  if (value.includes(','))
    return text.split(',').length === value.split(',').length &&
      text.split(',').every((part, i) => part !== '' && reads_as(part, value.split(',')[i]));
  if (!number || !isFinite(x) || (number[1] === '-') !== value.startsWith('-')) return false;
  if (Number(text) === x) return true;
  const [, , decimals = '', exponent = 0] = number, off = Math.abs(Number(text) - x);
  return decimals !== '' && off <= 0.501 * 10 ** (exponent - decimals.length) &&
    off < 0.05 * Math.abs(x);
}

// All cells of the memory and all lanes of a shuffle, as they must be after step t: the trace of the
// page is played here once more.
function compare_cells(name, page, trace, t, sums) {
  const memory = {}, step = trace.steps[t], split = text => (text || '').split(' ');
  trace.steps.slice(0, t + 1).filter(({space}) => space).forEach(s => {
    const lanes = s.act.toString(2).split('').reverse().flatMap((bit, l) => bit === '1' ? [l] : []);
    const each = Math.max(1, Math.floor(s.bytes / trace.arrays[s.array[0]].element));
    split(s.after).forEach((value, v) => {
      const k = Math.floor(v / each), {element, columns, name: array} = trace.arrays[s.array[k]];
      const i = Math.floor(s.offset[k] / element) + v % each;
      if (s.kind === 'load' && s.unwritten >>> lanes[k] & 1) return;
      memory[array + (columns < 2 ? `[${i}]` : `[${Math.floor(i / columns)}][${i % columns}]`)] =
        value;
    });
  });
  const compare = (element, value, text, fits, narrow) => {
    sums.cells += narrow ? 0 : 1;
    sums.empty += !narrow && text === '' && /^-?(0\.0?[1-9]|\d\d?\.)\d*$/.test(value) ? 1 : 0;
    if (!fits || !reads_as(text, value) || text === '' && value.length < 3 && !narrow)
      print(name, 'unlike', t + 1, element.replace(/ /g, '_'), text || '-', value);
  };
  const halves = trace.arrays.filter(array => array.element < 4).map(array => array.name);
  page.querySelectorAll('.memory i').forEach(cell => {
    const at = cell.title.slice(0, cell.title.lastIndexOf('] ') + 1), value = memory[at];
    if (value !== undefined)
      compare(at, value, cell.textContent, cell.scrollWidth <= cell.clientWidth,
        halves.some(array => at.startsWith(array + '['))); // too small for any text
    else if (cell.textContent !== '' || !cell.title.endsWith('never written'))
      print(name, 'unlike', t + 1, cell.title, cell.textContent || '-', 'none');
  });
  if (step.kind !== 'shuffle') return;
  const labels = [...page.querySelectorAll('.request text.value')];
  split(step.before).forEach((value, k) => [[value, '17'], [split(step.after)[k], '75']]
    .forEach(([of, y], i) => {
      const label = labels[2 * k + i];
      compare('lane', of, label.textContent, label.getComputedTextLength() <= 20 &&
        Number(label.getAttribute('y')) === Number(y) + 11);
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

// ---- the pages ----

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
  const traces = JSON.parse(page.querySelector('#traces').textContent), sums = {cells: 0, empty: 0};
  const two = page.querySelector('.versus'), seen = [];
  const steps = two ? 0 : Number(page.querySelector('#scrubber').max); // of two not each one
  const rows = selector => [...page.querySelectorAll(selector)].map(row =>
    [...row.cells].map(cell => cell.textContent));
  rows('.versus tr').forEach(row => print(name, 'versus', ...row));
  for (let i = 1; i <= steps; i++) {
    print(name, 'step', observe(page));
    seen.push(whole());
    compare_cells(name, page, traces[0], i - 1, sums);
    press('ArrowRight');
  }
  if (steps) print(name, 'cells', sums.cells, sums.empty);
  if (name === Object.keys(PAGES)[0]) compare_short(name, frame.contentWindow);
  rows('.counters tr').forEach(([counter, value]) =>
    value === '' || print(name, 'counter', counter, value));
  page.querySelectorAll('.code .met').forEach(line => print(name, 'met',
    ...[line.children[0], line.children[2]].map(part => part ? /\d*$/.exec(part.textContent)[0] : 0)));
  page.querySelectorAll('.memory i').forEach(cell => print(name, 'memory', cell.title));
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
