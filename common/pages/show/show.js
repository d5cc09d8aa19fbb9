// SPDX-License-Identifier: MIT
//
// show.js - of the page of `make show`: the panels and the controls. trace.js has what they show;
// show.html holds the empty panels.

// ---- the panels: each function gives the content of one, as a list of its rows ----

const safe = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const colour = wavefront => `var(--w${wavefront % 8})`;
const tower = most(traces.map(trace => most(trace.steps.map(step => step.wavefronts || 1))));

// In every panel 32 columns are the lanes or banks; left of them are the names of its rows.
const NAMES = 68, NARROWEST = 11, WIDE_ENOUGH = 21; // pixels
let pitch = WIDE_ENOUGH; // from one column to the next: draw() sets it, and the fonts of the memory
let fonts = [];
const ink = document.createElement('canvas').getContext('2d'); // it measures texts

// A value in so many pixels: 0.5 or .5, 1e+09 or 1e9; never one that is rounded. Of a list, such as
// a float4, each value must fit. Where nothing fits it is '', and the reader has the cell's title.
function short(text, room, bold = 0) {
  ink.font = fonts[bold];
  const same = text.includes('0x') ? text
    : text.replace(/(^|,)(-?)0\.(?=\d)/g, '$1$2.').replace(/e\+?(-?)0*(?=\d)/g, 'e$1');
  return [text, same].find(one => ink.measureText(one).width <= room) || '';
}

// Those rows that are as before stay as they are.
function fill(panel, rows) {
  rows.forEach((row, i) => {
    if (i >= panel.children.length) panel.insertAdjacentHTML('beforeend', row);
    else if (row !== panel.shown[i]) panel.children[i].outerHTML = row;
  });
  while (panel.children.length > rows.length) panel.lastElementChild.remove();
  panel.shown = rows;
}

function source_rows(trace, state, step) {
  const f = Math.max(0, step.file), file = trace.files[f];
  const cost = (n, ideal) => `<span class="${n > ideal ? 'above' : ''}">${n || ''}</span>`;
  const head = `<div class="head"><span>line</span><code>${safe(file.name)}</code>` +
    '<span>met</span><span>wavef.</span><span>sectors</span></div>';
  return [head, ...file.lines.map((text, i) => {
    const number = file.first + i, place = f + ':' + number, line = state.lines.get(place);
    const [type, mark] = place === place_of(step) ? ['here', '&gt; '] : ['', ''];
    return `<div class="${type} ${trace.places.has(place) ? 'met' : ''}" data-place="${place}">` +
      `<span>${mark}${number}</span><code>${safe(text)}</code>` + (!line ? ''
      : `<span>${line.met}</span>${cost(line.wavefronts, line.ideal)}` +
        cost(line.sectors, line.ideal_sectors)) + '</div>';
  })];
}

const row_html = cells => `<div class="row">${cells}</div>`;
const of_lanes = lanes => lanes.length ? ` data-lane="${lanes.join(' ')}"` : '';

function warps_rows(trace, state, step) {
  const head = range(LANES).map(l => `<b>${l % 4 ? '' : l}</b>`).join('');
  return [row_html('<b></b>' + head), ...state.warps.map((warp, w) => {
    const now = step.warp === w && !opens(step) && !is_finding(step);
    const lane = l => w * LANES + l >= trace.threads ? '<i></i>'
      : now && has(step.act, l) ? `<i class="act"${of_lanes([l])}>${LETTERS[step.kind]}</i>`
        : has(warp.left, l) ? '<i class="left"></i>'
          : has(warp.wait, l) ? '<i class="wait">o</i>'
            : now && has(warp.idle, l) ? '<i class="off"></i>' : '<i class="will"></i>';
    return row_html(`<b class="${now ? 'here' : ''}">warp ${w}</b>` +
      range(LANES).map(lane).join(''));
  })];
}

const legend_html = step => (LETTERS[step.kind]
  ? `<i class="act">${LETTERS[step.kind]}</i> ${WORDS_OF[step.kind]}` : '') +
  ' <i class="will"></i> goes on <i class="off"></i> masked off <i class="wait">o</i> waits at the ' +
  'barrier <i class="left"></i> has left';

// A drawing has the columns of the other panels.
const column = i => NAMES + pitch * i, middle = i => column(i) + (pitch - 1) / 2;
const label = (x, y, text, type) =>
  `<text x="${x}" y="${y + 12}" class="${type}">${safe(text)}</text>`;
const row_name = (y, text) => label(0, y, text, 'name');
const box = (x, y, width, type, fill, height = 15) => `<rect x="${x}" y="${y}" width="${width}" ` +
  `height="${height}" class="${type}"${fill ? ` style="fill:${fill}"` : ''}/>`;
const cell = (i, y, text, type, fill) =>
  box(column(i), y, pitch - 1, type, fill) + label(middle(i), y, text, fill ? 'on' : '');
const number = i => pitch < 17 && i % 2 ? '' : i; // of a lane or a bank
const wire = (x, y, to_x, to_y, stroke) => `<path class="wire" style="stroke:${stroke}" ` +
  `d="M${x} ${y}C${x} ${(y + to_y) / 2} ${to_x} ${(y + to_y) / 2} ${to_x} ${to_y}"/>`;
const group = (lanes, drawing, more = '') => `<g${of_lanes([...lanes])}${more}>${drawing}</g>`;
const lane_row = (step, part = []) => row_name(0, 'lane') + range(LANES).map(lane => {
  const k = step.lanes.indexOf(lane);
  return k < 0 ? box(column(lane), 0, pitch - 1, has(step.idle, lane) ? 'idle' : 'cell')
    : group([lane], cell(lane, 0, number(lane), 'cell', colour(part[k] || 0)), ` class="lane" ` +
      `role="button" tabindex="${k ? -1 : 0}" aria-label="${safe(lane_text(step, k))}"`);
}).join('');

// Lanes, banks, and a row of words for each wavefront: a bank that is asked for many is a tower.
function shared_svg(step, down) {
  const words = new Map(), banks = range(LANES).map(() => new Set()); // of each the lanes that ask
  const shift = step.arrays[0].phase / WORD, parts = [];
  step.lanes.forEach((lane, k) => words_of(step, k).forEach(word => {
    parts.push(group([lane], wire(middle(lane), 15, middle(bank_of(word)), 46,
      colour(step.part[k]))));
    banks[bank_of(word)].add(lane);
    words.set(word, {w: step.part[k], lanes: [...(words.get(word) || {lanes: []}).lanes, lane]});
  }));
  parts.push(row_name(46, 'bank'),
    ...banks.map((lanes, b) => group(lanes, cell(b, 46, number(b), 'cell'))));
  words.forEach(({w, lanes}, word) => {
    const text = down > 12 ? short(String(word - shift), pitch - 2) : '';
    parts.push(group(lanes,
      box(column(bank_of(word)), 65 + down * w, pitch - 1, 'word', colour(w), down - 2) +
      (text ? label(middle(bank_of(word)), 65 + down * w, text, 'on') : '')));
  });
  range(step.wavefronts).forEach(w => parts.push(
    down > 12 || w % 4 === 3 ? row_name(65 + down * w, 'wavefront ' + (w + 1)) : ''));
  return lane_row(step, step.part) + parts.join('');
}

// All sectors in one row; a sector is 8 words, and what nobody asked for is hatched.
function global_svg(step) {
  const sectors = words_by(sector_of, step), lanes = new Map(); // word: the lanes that ask for it
  const order = [...sectors.keys()].sort((a, b) => a - b);
  const width = Math.min(8 * pitch, LANES * pitch / order.length), word_width = (width - 2) / 8;
  const x = (sector, word) => NAMES + width * order.indexOf(sector) + word * word_width;
  const parts = [row_name(60, 'sector'), row_name(78, '8 words')];
  step.lanes.forEach((lane, k) => words_of(step, k).forEach(word => {
    parts.push(group([lane], wire(middle(lane), 15, x(sector_of(word), word % 8 + 0.5), 60,
      colour(0))));
    lanes.set(word, [...lanes.get(word) || [], lane]);
  }));
  const apart = Math.ceil(28 / width); // of the numbers
  order.forEach((sector, i) => parts.push(box(x(sector, 0), 60, width - 2, 'cell'),
    i % apart ? '' : label(x(sector, 4), 60, sector, ''),
    ...range(8).map(word => lanes.has(8 * sector + word)
      ? group(lanes.get(8 * sector + word), box(x(sector, word), 78, word_width, 'word', colour(0)))
      : box(x(sector, word), 78, word_width, 'idle'))));
  return lane_row(step) + parts.join('');
}

function shuffle_svg(step) {
  const value = (lane, y, text, type) => label(middle(lane), y, short(text, pitch - 2), type);
  return lane_row(step) + row_name(17, 'gives') + row_name(75, 'gets') +
    step.lanes.map((lane, k) => {
      const unused = has(step.unused, lane), from = step.source[k];
      return group([lane], value(lane, 17, step.before[k], 'value') +
        (has(step.outside, lane) ? '' : wire(middle(from), 32, middle(lane), 75,
          unused ? 'var(--line)' : 'var(--act)')) +
        box(column(lane), 75, pitch - 1, unused ? 'idle' : 'cell', unused ? '' : colour(0)) +
        value(lane, 75, step.after[k], unused ? 'value' : 'value on'));
    }).join('');
}

function finding_html(trace, {accesses, stopped, text}) {
  return '<div><div class="accesses">' + accesses.map(a => `<div><b>${a.kind} of ` +
    `${safe(a.element)}</b><br>thread ${a.thread}: warp ${Math.floor(a.thread / LANES)}, lane ` +
    `${a.thread % LANES}, line ${a.line}` + (a.step >= 0
    ? `, round ${trace.steps[a.step].round}<br><button data-step="${a.step}">go there</button>`
    : stopped ? '<br>refused: it did not take place' : `<br>in block ${a.block}`) +
    '</div>').join('') + `</div><pre>${safe(text)}</pre></div>`;
}

const asked_text = step => is_finding(step) ? 'what the emulator says'
  : step.shared ? `each lane to the bank${step.bytes > WORD ? 's' : ''} of what it asks for; below ` +
      'a bank its words, numbered as in the array: one a wavefront'
    : step.global ? 'each lane to its words; a sector is moved whole, hatched words for nothing'
      : step.kind === 'shuffle' ? 'each lane gets what another gives; hatched: nobody uses what it gets'
        : opens(step) ? 'none: the barrier opens' : 'none to memory: a step of the coloured lanes';

// All drawings of a trace are equally high, so that nothing below them jumps.
function request_html(trace, step) {
  if (is_finding(step)) return finding_html(trace, trace.findings[step.finding]);
  const down = Math.max(6, Math.min(17, 220 / tower)), width = column(LANES);
  const height = Math.max(98, 72 + down * tower);
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" ` +
    'aria-label="the lanes of this request"><defs><pattern id="hatch" width="4" ' +
    'height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" ' +
    'd="M0 0V4"/></pattern></defs>' + (step.shared ? shared_svg(step, down)
    : step.global ? global_svg(step)
      : step.kind === 'shuffle' ? shuffle_svg(step) : opens(step) ? '' : lane_row(step)) + '</svg>';
}

// What a step does to each element of an array: {type, w: its wavefront, lanes: that ask for it}.
function touched(trace, step, array) {
  const now = new Map();
  (step.index || []).forEach((index, k) => range(step.elements).forEach(e => {
    const v = k * step.elements + e, lanes = (now.get(index + e) || {lanes: []}).lanes;
    if (step.arrays[k] === array) now.set(index + e, {w: step.part ? step.part[k] : 0,
      lanes: [...lanes, step.lanes[k]], type: step.kind === 'load' ? 'read'
        : step.before[v] === step.after[v] ? 'written' : 'written changed'});
  }));
  (is_finding(step) ? trace.findings[step.finding].accesses : []).forEach(access => {
    if (trace.arrays[access.array] === array)
      now.set(access.index, {w: 5, type: 'read', lanes: []});
  });
  return now;
}

// An array in rows of 128 bytes: 32 words, one under each other where they are in one bank. Of a
// word that holds several elements each has a line: the first is in its low bytes.
function array_rows(trace, state, step, array) {
  const span = Math.max(1, array.element / WORD), now = touched(trace, step, array);
  const memory = state.memory.get(array), rows = new Map();
  range(array.high - array.low).map(i => array.low + i).forEach(i => {
    const byte = array.phase + i * array.element, row = Math.floor(byte / ROW);
    const {w, type, lanes} = now.get(i) || {w: 0, type: '', lanes: []}, value = memory.get(i);
    const shown = value === undefined ? ''
      : short(value, span * pitch - 2, type.endsWith('changed') ? 1 : 0);
    const x = Math.floor(byte % ROW / WORD) + 2, y = Math.floor(byte % WORD / array.element) + 1;
    rows.set(row, (rows.get(row) || `<b>${index_text(array, i)}</b>`) +
      `<i class="${type} ${value === undefined ? 'never' : ''}" style="--c:${colour(w)};` +
      `grid-area:${y}/${x}/auto/span ${span}"${of_lanes(lanes)} title="${safe(array.name)}` +
      `${index_text(array, i)} ${value ?? 'never written'}">${shown}</i>`);
  });
  const each = Math.floor(WORD / array.element), more = each > 1
    ? `: ${each} elements a word, one below the other` : '';
  return [`<b>${safe(array.name)}${more}</b>`].concat([...rows.values()].map(row_html));
}

function memory_rows(trace, state, step) {
  const shared = trace.arrays.filter(array => array.space === 'shared');
  return (shared.length ? shared : trace.arrays)
    .flatMap(array => array_rows(trace, state, step, array));
}

// What differs between two traces, from barrier to barrier.
function versus_html(epoch) {
  const sums = traces.map(trace => trace.epochs.map(epoch_steps => {
    const steps = epoch_steps.map(t => trace.steps[t]).filter(step => step.space);
    const sum = f => steps.reduce((n, step) => n + (f(step) || 0), 0);
    return {wavefronts: sum(s => s.wavefronts), sectors: sum(s => s.sectors),
      lanes: Math.round(10 * sum(s => s.lanes.length) / Math.max(1, steps.length)) / 10};
  }));
  const rows = range(most(sums.map(s => s.length)));
  const value = (i, e, name) => sums[i][e] ? sums[i][e][name] : '';
  const names = ['wavefronts', 'sectors', 'lanes'].filter(name => name !== 'sectors' ||
    rows.some(e => value(0, e, name) !== value(1, e, name)));
  return '<table><caption>from barrier to barrier; <b>bold</b>: A and B differ; lanes: those that ' +
    'take part in a request, on average</caption><tr><th>barriers</th>' +
    names.map(n => `<th colspan="2">${n}</th>`).join('') +
    '</tr><tr><th>before</th>' + names.map(() => '<th>A</th><th>B</th>').join('') + '</tr>' +
    rows.map(e => `<tr class="${e === epoch ? 'here' : ''}"><td>${e}</td>` + names.map(name => {
      const [a, b] = [value(0, e, name), value(1, e, name)], type = a === b ? '' : 'differs';
      return `<td class="${type}">${a}</td><td class="${type}">${b}</td>`;
    }).join('') + '</tr>').join('') + '</table>';
}

const counter_rows = (trace, state) => Object.keys(trace.counters).map(name =>
  `<tr><td>${name}` + (name === 'divergent_branches'
    ? ' <small>of the source; of a short one nvcc makes predicates</small></td><td>'
    : `</td><td>${state.counters[name] || 0}`) + `</td><td>${trace.counters[name]}</td></tr>`);

// ---- one step drawn ----

// The places of the scrubber: for each trace a step. Two traces go from barrier to barrier
// together: the one with fewer steps on the way waits for the other.
const places = range(most(traces.map(trace => trace.epochs.length))).flatMap(e => {
  const parts = traces.map(trace => trace.epochs[e] || trace.epochs.slice(-1)[0].slice(-1));
  return range(most(parts.map(part => part.length))).map(i =>
    ({epoch: e, steps: parts.map(part => part[Math.min(i, part.length - 1)])}));
});

const views = traces.map(() => $('view').content.firstElementChild.cloneNode(true));
const sentences = traces.map(() => document.createElement('p'));
const versus = document.createElement('section'); // between two views
let here = 0, leader = 0, playing = 0; // leader: the trace whose steps the keys look for
let followed = null;                   // a lane whose path is shown at each step

// All panels have as wide columns as there is room for. Where that is too narrow they scroll.
function measure(view) {
  const panels = view.querySelector('.panels'), memory = view.querySelector('.memory');
  const bar = memory.offsetWidth - memory.clientWidth;
  pitch = Math.floor(10 * (panels.clientWidth - bar - NAMES) / LANES) / 10;
  if (pitch < NARROWEST) pitch = WIDE_ENOUGH;
  view.style.setProperty('--pitch', pitch + 'px');
  view.style.setProperty('--width', column(LANES) + bar + 'px');
  const {font} = getComputedStyle(memory);
  fonts = [font, 'bold ' + font];
}

// Scrolls a panel to where something happens, so that its head cuts no row.
function scroll_to_now(panel) {
  const now = panel.querySelector('.here, .read, .written'), [head, ...rows] = panel.children;
  if (!now) return;
  const top = now.offsetTop - panel.offsetTop - panel.scrollTop;
  if (top >= 30 && top <= panel.clientHeight - 30) return;
  const middle = panel.scrollTop + top - panel.clientHeight / 2;
  const below_head = rows.map(row => row.offsetTop - panel.offsetTop - head.offsetHeight);
  panel.scrollTop = below_head.find(y => y >= middle) ?? panel.scrollTop;
}

function draw(i, t) {
  const view = views[i], trace = traces[i], step = trace.steps[t], state = replay(trace, t);
  const part = name => view.querySelector('.' + name);
  const focused = view.contains(document.activeElement) && document.activeElement.dataset.lane;
  measure(view);
  fill(part('code'), source_rows(trace, state, step));
  const file = trace.files[step.file], line = file && file.lines[step.line - file.first];
  view.querySelector('.source summary').textContent =
    line ? `Line ${step.line}: ${line.trim()}` : 'Source';
  fill(part('request'), [request_html(trace, step)]);
  part('asked').textContent = asked_text(step);
  fill(part('warps'), warps_rows(trace, state, step));
  part('legend').innerHTML = legend_html(step);
  fill(part('memory'), memory_rows(trace, state, step));
  sentences[i].textContent = (traces.length > 1 ? 'AB'[i] + ': ' : '') + sentence(trace, state, step);
  view.querySelector('.sofar summary').textContent = so_far(state.counters);
  fill(part('counters'), counter_rows(trace, state));
  part('no-room').hidden = !view.querySelector('.memory i:not(.never):empty');
  ['code', 'warps', 'memory'].forEach(name => scroll_to_now(part(name)));
  if (focused) view.querySelector(`.lane[data-lane="${focused}"]`)?.focus({preventScroll: true});
  light(i, followed === null ? [] : [followed]);
}

// Shows the path of some lanes in all panels of a view, and says it of one; of none: as before.
function light(i, lanes) {
  const step = step_of(here, i), ks = lanes.map(lane => step.lanes.indexOf(lane)).filter(k => k >= 0);
  views[i].classList.toggle('lights', ks.length > 0);
  views[i].querySelectorAll('[data-lane]').forEach(part => {
    const lit = part.dataset.lane.split(' ').some(lane => lanes.includes(Number(lane)));
    part.classList.toggle('lit', lit && ks.length > 0);
    if (part.classList.contains('lane')) part.setAttribute('aria-pressed', lit && lanes.includes(followed));
  });
  const texts = ks.map(k => lane_text(step, k)).join(' | ');
  views[i].querySelector('.lane-text').textContent = texts ? texts[0].toUpperCase() + texts.slice(1)
    : step.lanes.length && !opens(step) && !is_finding(step) ? 'Point at a lane to see its path; click, or press l, to follow it.' : '\u00a0';
}

function go(to) {
  here = Math.max(0, Math.min(places.length - 1, to));
  views.forEach((view, i) => draw(i, places[here].steps[i]));
  if (traces.length > 1) versus.innerHTML = versus_html(places[here].epoch);
  $('place').textContent = `step ${here + 1} of ${places.length}`;
  $('scrubber').value = here + 1;
  $('said').textContent = '';
  history.replaceState(null, '', '#step=' + (here + 1));
  fit();
}

// Of a header that would take much of the window only the sentence stays in sight.
function fit() {
  const header = document.querySelector('header');
  header.style.top = header.offsetHeight > innerHeight / 5 ? `${-$('sentences').offsetTop}px` : 0;
}

// ---- the controls ----

const step_of = (p, i) => traces[i].steps[places[p].steps[i]];
const comes = (p, i) => p === 0 || step_of(p, i) !== step_of(p - 1, i); // to another step

const say = text => { $('said').textContent = text; return false; };

// Goes to the nearest place after (or, with by = -1, before) this one where a step is wanted. False,
// and said, where there is none.
function find(wanted, by, what) {
  const at = p => traces.findIndex((_, i) => comes(p, i) && wanted(step_of(p, i), i));
  const all = range(places.length).filter(p => at(p) >= 0);
  const next = by > 0 ? all.find(p => p > here) : all.filter(p => p < here).pop();
  if (next !== undefined) return go(next, leader = at(next));
  return say(all.some(p => p !== here) ? `There is no ${what} ${by > 0 ? 'after' : 'before'} this step.`
    : `There is no ${all.length ? 'other ' : ''}${what}.`);
}

// The same instruction, met once more: by this warp, or by any; or else any that is met again.
function find_round(by) {
  const now = step_of(here, leader), {steps} = traces[leader], t = steps.indexOf(now);
  const other = step => step.pc === now.pc && step.kind === now.kind && step.round !== now.round;
  const rest = by > 0 ? steps.slice(t + 1) : steps.slice(0, t);
  const wanted = [step => other(step) && step.warp === now.warp, other,
    step => step.after && step.round === 2].find(kind => rest.some(kind));
  return find((step, i) => i === leader && wanted && wanted(step), by, 'other round');
}

// Where no warp acts, or no other one does the same, the key scrolls.
function find_warp(by) {
  const now = step_of(here, leader);
  if (opens(now) || is_finding(now) || /code|warps|memory/.test(document.activeElement.className))
    return false;
  const wanted = (step, i) => i === leader && step.pc === now.pc && step.kind === now.kind &&
    step.round === now.round && step.warp === now.warp + by;
  return find(wanted, by, 'such step of a warp');
}

// The request that costs most above its ideal; from there the next one that costs as much.
function find_worst() {
  const excess = p => most(traces.map((_, i) => comes(p, i) ? step_of(p, i).excess : 0));
  const all = range(places.length), worst = most(all.map(excess));
  const best = all.filter(p => excess(p) === worst);
  if (worst === 0) return say('No request costs more than its ideal.');
  const n = (best.indexOf(here) + 1) % best.length;
  leader = traces.findIndex((_, i) => step_of(best[n], i).excess === worst);
  go(best[n]);
  return say(best.length > 1 ? `The worst, ${n + 1} of ${best.length} that cost as much.` : 'The worst.');
}

function follow(by) {
  const {lanes} = step_of(here, leader), n = lanes.length, k = lanes.indexOf(followed);
  if (!n) return say('No lane acts in this step.');
  followed = lanes[k < 0 ? by > 0 ? 0 : n - 1 : (k + by + n) % n];
  views.forEach((_, i) => light(i, [followed]));
}

function play() {
  const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? 3000 : 500;
  const on = () => here < places.length - 1 ? go(here + 1) : play();
  clearInterval(playing);
  if (!playing && here === places.length - 1) go(0);
  playing = playing ? 0 : setInterval(on, pause);
  $('play').textContent = playing ? 'stop' : 'play';
}

// Those that find look forward; with shift, or by a button with `data-back`, backward. A key that
// gives false is the browser's too.
const KINDS = {
  b: ['barrier', 'barrier that opens', opens],
  r: ['round', 'other round', null],
  c: ['conflict', 'request above its ideal', step => step.above],
  f: ['finding', 'finding', is_finding],
};
const keys = {
  ArrowLeft: by => by < 0 ? find_round(-1) : go(here - 1),
  ArrowRight: by => by < 0 ? find_round(1) : go(here + 1),
  ArrowUp: () => find_warp(-1),
  ArrowDown: () => find_warp(1),
  Home: () => go(0),
  End: () => go(places.length - 1),
  Escape: () => { followed = null; views.forEach((_, i) => light(i, [])); },
  ' ': play,
  b: by => find(KINDS.b[2], by, KINDS.b[1]),
  r: find_round,
  c: by => find(KINDS.c[2], by, KINDS.c[1]),
  f: by => find(KINDS.f[2], by, KINDS.f[1]),
  w: find_worst,
  l: follow,
  '?': () => $('help').showModal(),
};

addEventListener('keydown', event => {
  const {target, key} = event, lane = target.closest && target.closest('.lane');
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (event.ctrlKey || event.altKey || event.metaKey || $('help').open) return; // not for us
  if (lane && /^( |Enter)$/.test(key)) lane.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  else if (!keys[name] || key === ' ' && /BUTTON|SUMMARY/.test(target.tagName)) return;
  else if (keys[name](event.shiftKey && key !== '?' ? -1 : 1) === false && /^Arrow/.test(key)) return;
  event.preventDefault();
});
addEventListener('click', event => {
  const asked = event.target.closest('[data-key], [data-step], .met, .lane');
  const i = views.findIndex(view => view.contains(event.target));
  if (event.target === $('help')) $('help').close(); // outside of its content
  if (i >= 0) leader = i;
  if (!asked) return;
  const {key, back, step, place, lane} = asked.dataset;
  if (key) keys[key](back ? -1 : 1);
  if (step) go(places.findIndex(p => p.steps[leader] === Number(step)));
  if (place) find((s, t) => t === leader && place_of(s) === place, 1, 'step of this line');
  if (lane) {
    followed = followed === Number(lane) ? null : Number(lane);
    views.forEach((_, v) => light(v, followed === null ? [] : [followed]));
  }
});
// A lane, or what a lane asks for, is pointed at or has the focus.
for (const type of ['pointerover', 'focusin']) addEventListener(type, event => {
  const part = event.target.closest && event.target.closest('[data-lane]');
  const i = views.findIndex(view => view.contains(event.target));
  if (i >= 0) light(i, part ? part.dataset.lane.split(' ').map(Number)
    : followed === null ? [] : [followed]);
});

// What is in the address; else what went wrong; else the first request above its ideal.
function go_to_address() {
  const asked = /^#step=(\d+)$/.exec(location.hash);
  const first = wanted => range(places.length).find(p => traces.some((_, i) => wanted(step_of(p, i))));
  go(asked ? asked[1] - 1 : first(is_finding) ?? first(step => step.above) ?? 0);
}
addEventListener('hashchange', go_to_address);
addEventListener('resize', () => go(here));
$('scrubber').addEventListener('input', () => go($('scrubber').value - 1));

// ---- what stays on the page ----

// A tick for each barrier, a triangle for a finding, a bar as high as a conflict costs.
function marks_svg() {
  const dearest = most(traces.map(trace => most(trace.steps.map(step => step.excess))));
  const shape = (step, x) => opens(step) ? `<path class="tick" d="M${x} 0V16"/>`
    : is_finding(step) ? `<path class="finding" d="M${x - 5} 16h10l-5 -12z"/>` : '';
  const bar = (step, x, h = 2 + 13 * step.excess / dearest) =>
    step.above ? `<path class="conflict" d="M${x - 1} ${16 - h}h2v${h}h-2z"/>` : '';
  return places.map((_, p) => traces.map((_trace, i) => {
    const x = 5 + 990 * p / Math.max(1, places.length - 1);
    return comes(p, i) ? shape(step_of(p, i), x) + bar(step_of(p, i), x) : '';
  }).join('')).join('');
}

const found = traces.flatMap(trace => trace.findings);
$('title').textContent = traces.map(trace => trace.title).join(' and ');
$('found').hidden = found.length === 0;
$('found').textContent = found.length && found[0].title.replace(/ in .*/, '') +
  (found.length > 1 ? ` and ${found.length - 1} more` : '');
$('kinds').innerHTML = Object.entries(KINDS).map(([key, [name, what]]) =>
  `<span role="group" aria-label="${name}"><button data-key="${key}" data-back="1" ` +
  `aria-label="${name} before" title="the ${what} before (shift + ${key})">&lt;</button>${name}` +
  `<button data-key="${key}" aria-label="next ${name}" title="the next ${what} (${key})">&gt;` +
  '</button></span>').join('');
$('letters').innerHTML = Object.keys(LETTERS).map(kind =>
  `<dt>${LETTERS[kind]}</dt><dd>${WORDS_OF[kind]}</dd>`).join('');
document.body.classList.toggle('two', traces.length > 1);
sentences.forEach(p => { p.className = 'sentence'; });
$('sentences').append(...sentences);
document.querySelector('main').append(...views);
if (traces.length > 1) views[0].after(versus);
versus.className = 'versus';
views.forEach((view, i) => {
  const {title, what} = traces[i];
  view.querySelector('h2').innerHTML = safe(traces.length < 2 ? what : `${'AB'[i]}: ${title}, ${what}`) +
    ` <small class="dearest">${safe(dearest_line(traces[i]))}</small>`;
  view.querySelectorAll('[role=region]').forEach(part => part.setAttribute('aria-label',
    part.getAttribute('aria-label') + (traces.length > 1 ? ' of ' + 'AB'[i] : '')));
  view.querySelector('.source').open = view.clientWidth > 860;
});
$('scrubber').max = places.length;
$('marks').innerHTML = marks_svg();
go_to_address();
