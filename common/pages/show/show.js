// SPDX-License-Identifier: MIT
//
// show.js - the page of `make show`: the trace, what is true after a step, the sentence that tells
// it, the panels, the controls. show.c wrote the traces; show.html holds the empty panels.
'use strict';

// ---- the trace: what show.c wrote, and what follows from it ----

const LANES = 32, WORD = 4, SECTOR = 32, ROW = 128; // bytes; a row is a word of each bank
const $ = id => document.getElementById(id), traces = JSON.parse($('traces').textContent);

const range = n => Array.from({length: n}, (_, i) => i), most = list => Math.max(...list);
const has = (mask, lane) => (mask >>> lane & 1) === 1;
const lanes_of = mask => range(LANES).filter(lane => has(mask, lane));
const place_of = step => step.file + ':' + step.line; // in the source
const is_finding = step => step.kind === 'finding', opens = step => step.kind === 'leave';

// Of each step: the lanes that act; of the k-th of them the array, and the bytes from its bank 0.
function prepare_step(trace, step) {
  step.lanes = lanes_of(step.act);
  step.shared = step.space === 'shared';
  step.global = step.space === 'global';
  step.above = step.wavefronts > step.ideal || step.sectors > step.ideal_sectors;
  if (!step.after) return; // it has no values
  step.after = step.after.split(' ');
  step.before = step.before ? step.before.split(' ') : step.after;
  if (!step.space) return;
  step.arrays = step.lanes.map((_, k) => trace.arrays[step.array[k]]);
  step.elements = Math.max(1, Math.floor(step.bytes / step.arrays[0].element)); // of each lane
  step.index = step.offset.map((offset, k) => Math.floor(offset / step.arrays[k].element));
  step.byte = step.offset.map((offset, k) => offset + step.arrays[k].phase);
}

traces.forEach(trace => {
  trace.steps.forEach(step => prepare_step(trace, step));
  trace.places = new Set(trace.steps.map(place_of));
  const waits = new Set(); // a warp and where it waits: its lanes may come there in several groups
  trace.steps.forEach(step => {
    const at = step.warp + ' ' + step.pc;
    if (opens(step)) waits.clear();
    step.again = step.kind === 'arrive' && waits.has(at);
    if (step.kind === 'arrive') waits.add(at);
  });
  trace.epochs = [[]]; // the steps up to the first barrier that opens, those up to the second, ...
  trace.steps.forEach((step, t) => {
    trace.epochs.slice(-1)[0].push(t);
    if (opens(step) && t < trace.steps.length - 1) trace.epochs.push([]);
  });
});

const tower = most(traces.map(trace => most(trace.steps.map(step => step.wavefronts || 1))));

// ---- what is true after a step ----

// Made anew from the first step on: so a step back is as right as a step forward.
function replay(trace, t) {
  const state = {
    warps: range(trace.warps).map(() => ({idle: 0, wait: 0, left: 0})),
    memory: new Map(trace.arrays.map(array => [array, new Map()])), // element: its value, as text
    lines: new Map(), // a place of the source: how often it was met, what that cost
    counters: {},     // by the names of SIMT_COUNTERS, and two more
  };
  trace.steps.slice(0, t + 1).forEach(step => apply(state, step));
  return state;
}

function apply(state, step) {
  const add = (name, n) => { state.counters[name] = (state.counters[name] || 0) + n; };
  if (opens(step)) {
    add('barriers', state.warps.filter(warp => warp.wait).length);
    state.warps.forEach(warp => { warp.wait = 0; });
  }
  if (opens(step) || is_finding(step)) return;
  state.warps[step.warp] = {idle: step.idle, wait: step.wait, left: step.left};
  const line = state.lines.get(place_of(step)) || {met: 0};
  state.lines.set(place_of(step), line);
  line.met += step.again ? 0 : 1; // a warp meets a barrier once, in however many groups
  for (const cost of ['wavefronts', 'ideal', 'sectors', 'ideal_sectors'])
    line[cost] = (line[cost] || 0) + (step[cost] || 0);
  count(step, add);
  if (!step.space) return;
  step.lanes.forEach((lane, k) => range(step.elements).forEach(e => {
    if (!has(step.unwritten, lane) || step.kind !== 'load')
      state.memory.get(step.arrays[k]).set(step.index[k] + e, step.after[k * step.elements + e]);
  }));
}

function count(step, add) {
  if (step.kind === 'shuffle') add('shuffles', step.bytes > WORD ? 2 : 1);
  if (!step.shared && !step.global) return;
  add('memory_requests', step.requests);
  add('memory_lanes', step.requests * step.lanes.length);
  if (step.global) {
    add('bytes used', step.used);
    add('bytes moved', step.sectors * SECTOR);
  }
  if (step.kind === 'atomic') return add('atomic_requests', step.requests);
  const name = step.space + (step.kind === 'load' ? '_ld_' : '_st_');
  add(name + 'requests', step.requests);
  if (step.global) return add(name + 'sectors', step.sectors);
  add(name + 'wavefronts', step.wavefronts);
  add('shared_wavefronts', step.wavefronts);
  add('shared_wavefronts_ideal', step.ideal);
}

// ---- the sentence ----

const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');

const index_text = (array, i) => array.columns < 2 ? `[${i}]`
  : `[${Math.floor(i / array.columns)}][${i % array.columns}]`;

// 64 65 66 -> [64] to [66]; 0 8 16 24 32 -> [0], [8], [16] ... [32]
function elements_text({arrays: [array], index, elements}) {
  const named = [...new Set(index)].map(i => index_text(array, i));
  const last = index_text(array, index[index.length - 1] + elements - 1);
  if (index.every((x, i) => x === index[0] + i * elements)) // neighbours
    return named[0] === last ? last : `${named[0]} to ${last}`;
  return (named.length < 5 ? named.join(', ')
    : named.slice(0, 3).join(', ') + ' ... ' + named[named.length - 1]) +
    (elements > 1 ? `, ${elements} elements each` : '');
}

// The words that the k-th lane asks for, and those that are asked of each bank or sector.
const words_of = (step, k) => range(Math.ceil(step.bytes / WORD))
  .map(i => Math.floor(step.byte[k] / WORD) + i);
const bank_of = word => word % LANES, sector_of = word => Math.floor(word * WORD / SECTOR);
function words_by(place_of_word, step) {
  const sets = new Map();
  step.lanes.forEach((_, k) => words_of(step, k).forEach(word => sets.set(place_of_word(word),
    (sets.get(place_of_word(word)) || new Set()).add(word))));
  return sets;
}

function cost_text(step) {
  const least = n => step.above ? ` where ${n} would do` : '';
  if (step.global)
    return plural(step.sectors, 'sector') + least(step.ideal_sectors) +
      `: ${step.used} of ${step.sectors * SECTOR} bytes are used.`;
  if (!step.shared) return '';
  const banks = [...words_by(bank_of, step)].sort((a, b) => b[1].size - a[1].size);
  const words = [...banks[0][1]].map(word => word - step.arrays[0].phase / WORD);
  const named = words.slice(0, 8).join(', ');
  return `${plural(banks.length, 'bank')}, ${plural(step.wavefronts, 'wavefront')}` +
    least(step.ideal) + (step.above ? `: bank ${banks[0][0]} is asked for ${words.length} words, ` +
      named + (words.length > 8 ? ` and ${words.length - 8} more` : '') : '') + '.';
}

function shuffle_text(step) {
  const gap = step.source[0] - step.lanes[0], unused = lanes_of(step.unused).length;
  const regular = step.lanes.every((lane, k) => has(step.outside, lane) ||
    step.source[k] === lane + gap);
  const whose = step.source.every(s => s === step.source[0]) ? `lane ${step.source[0]}`
    : regular ? `the lane ${Math.abs(gap)} ${gap > 0 ? 'above' : 'below'}` : 'another lane';
  return `take the value of ${whose}.` +
    (unused ? ` Nobody uses what ${unused} of them get.` : '');
}

function barrier_text(trace, state, step) {
  const sum = name => state.warps.reduce((n, warp) => n + lanes_of(warp[name]).length, 0);
  const s = step.lanes.length > 1 ? '' : 's', others = lanes_of(step.idle).length;
  return `come${s} to the barrier and wait${s}: ${sum('wait')} of ` +
    `${trace.threads - sum('left')} threads are there.` + (!others ? '' : ' Elsewhere: the other ' +
    `${others}, as the emulator follows each if of the source; nvcc predicates a short one.`);
}

function sentence(trace, state, step) {
  if (is_finding(step)) return `Found: ${trace.findings[step.finding].title}.`;
  const verb = {load: 'load', store: 'store', atomic: 'change'}[step.kind];
  const s = step.lanes.length > 1 ? '' : 's';
  const where = (step.line ? `, line ${step.line}` : '') +
    (step.round > 1 ? `, round ${step.round}` : '');
  if (opens(step)) return `All have come${where}: the barrier opens, and the warps go on.`;
  return `Warp ${step.warp}${where}: ${plural(step.lanes.length, 'lane')} ` +
    (verb ? `${verb}${s} ${step.arrays[0].name}${elements_text(step)}. ${cost_text(step)}`
      : step.kind === 'arrive' ? barrier_text(trace, state, step)
        : step.kind === 'shuffle' ? shuffle_text(step)
          : step.kind === 'exit' ? `leave${s} the kernel.` : `meet${s} at ${step.name}.`);
}

function so_far(counters) {
  const c = name => counters[name] || 0;
  const requests = space =>
    plural(c(space + '_ld_requests') + c(space + '_st_requests'), 'request');
  return `So far: ${requests('shared')} to shared memory, ${c('shared_wavefronts')} wavefronts ` +
    `(ideal ${c('shared_wavefronts_ideal')}); ${requests('global')} to global memory, ` +
    `${c('bytes used')} of ${c('bytes moved')} bytes used; ${plural(c('barriers'), 'barrier')}` +
    `, ${plural(c('shuffles'), 'shuffle')}, ${plural(c('atomic_requests'), 'atomic')}`;
}

// ---- the panels: each function gives the content of one, as a list of its rows ----

const safe = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const colour = wavefront => `var(--w${wavefront % 8})`;
const LETTERS = {load: 'L', store: 'S', atomic: 'A', arrive: 'B', shuffle: 'X', vote: 'V',
  syncwarp: 'W', exit: 'E'};

const ink = document.createElement('canvas').getContext('2d'); // it measures texts
let fonts = []; // of the memory, plain and bold: draw() sets them

// A value in so many pixels: 0.731058, .731058, .73106 ... .7; 1e+09 or 1e9. It loses decimals only,
// never the last one, and stays within 5 %: no integer, NaN or infinity is cut. Of a list, such as a
// float4, each value must fit. Where nothing fits it is '', and the reader has the cell's title.
function short(text, room, bold = 0) {
  const parts = text.split(',');
  if (parts.length > 1) {
    const cuts = parts.map(part => short(part, room / parts.length - 3, bold));
    return cuts.includes('') ? '' : cuts.join(',');
  }
  const [, mantissa, e = ''] = /^(-?[\d.]+)(e[-+]\d+)?$/.exec(text) || [text, text];
  const decimals = (mantissa.split('.')[1] || '').length;
  const fewer = range(decimals).slice(1).reverse().map(n => Number(mantissa).toFixed(n))
    .filter(cut => Math.abs(cut / mantissa - 1) < 0.05);
  const compact = cut => cut.replace(/^(-?)0\./, '$1.') +
    e.replace('+', '').replace(/^e(-?)0/, 'e$1');
  ink.font = fonts[bold];
  return [text, ...[mantissa, ...fewer].map(compact)]
    .find(cut => ink.measureText(cut).width - 0.2 * cut.length <= room) || ''; // letter-spacing
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

const row_html = (columns, cells) => '<div class="row" style="grid-template-columns:8.5% ' +
  `repeat(${columns},minmax(0,1fr))">${cells}</div>`;

function warps_rows(trace, state, step) {
  const head = range(LANES).map(l => `<b>${l % 4 ? '' : l}</b>`).join('');
  return [row_html(LANES, '<b></b>' + head), ...state.warps.map((warp, w) => {
    const now = step.warp === w && !opens(step) && !is_finding(step);
    const lane = l => w * LANES + l >= trace.threads ? '<i></i>'
      : now && has(step.act, l) ? `<i class="act">${LETTERS[step.kind]}</i>`
        : has(warp.left, l) ? '<i class="left"></i>'
          : has(warp.wait, l) ? '<i class="wait">o</i>'
            : now && has(warp.idle, l) ? '<i class="off"></i>' : '<i class="will"></i>';
    return row_html(LANES, `<b class="${now ? 'here' : ''}">warp ${w}</b>` +
      range(LANES).map(lane).join(''));
  })];
}

// A drawing has 32 columns of 20; to the left of them 60 for the names of its rows.
const column = i => 60 + 20 * i, middle = i => column(i) + 9.5;
const label = (x, y, text, type) =>
  `<text x="${x}" y="${y + 11}" class="${type}">${safe(text)}</text>`;
const row_name = (y, text) => label(0, y, text, 'name');
const box = (x, y, width, type, fill, height = 15) => `<rect x="${x}" y="${y}" width="${width}" ` +
  `height="${height}" class="${type}"${fill ? ` style="fill:${fill}"` : ''}/>`;
const cell = (i, y, text, type, fill) =>
  box(column(i), y, 19, type, fill) + label(middle(i), y, text, fill ? 'on' : '');
const wire = (x, y, to_x, to_y, stroke) => `<path class="wire" style="stroke:${stroke}" ` +
  `d="M${x} ${y}C${x} ${(y + to_y) / 2} ${to_x} ${(y + to_y) / 2} ${to_x} ${to_y}"/>`;
const lane_row = (step, part = []) => row_name(0, 'lane') + range(LANES).map(lane => {
  const k = step.lanes.indexOf(lane);
  return k >= 0 ? cell(lane, 0, lane, 'cell', colour(part[k] || 0))
    : box(column(lane), 0, 19, has(step.idle, lane) ? 'idle' : 'cell');
}).join('');

// Lanes, banks, and a row of words for each wavefront: a bank that is asked for many is a tower.
function shared_svg(step, pitch) {
  const parts = [row_name(46, 'bank'), ...range(LANES).map(b => cell(b, 46, b, 'cell'))];
  const words = new Map(); // from bank 0 of the first row on; the wavefront of each
  const shift = step.arrays[0].phase / WORD;
  step.lanes.forEach((lane, k) => {
    parts.push(wire(middle(lane), 15, middle(bank_of(words_of(step, k)[0])), 46,
      colour(step.part[k])));
    words_of(step, k).forEach(word => words.set(word, step.part[k]));
  });
  words.forEach((w, word) => parts.push(
    box(column(bank_of(word)), 65 + pitch * w, 19, 'word', colour(w), pitch - 2),
    pitch > 12 ? label(middle(bank_of(word)), 65 + pitch * w, word - shift, 'value on') : ''));
  range(step.wavefronts).forEach(w => parts.push(
    pitch > 12 || w % 4 === 3 ? row_name(65 + pitch * w, 'wavefront ' + (w + 1)) : ''));
  return lane_row(step, step.part) + parts.join('');
}

// All sectors in one row; a sector is 8 words, and what nobody asked for is hatched.
function global_svg(step) {
  const sectors = words_by(sector_of, step);
  const order = [...sectors.keys()].sort((a, b) => a - b);
  const width = Math.min(160, 640 / order.length), word_width = (width - 2) / 8;
  const x = (sector, word) => 60 + width * order.indexOf(sector) + word * word_width;
  const parts = [lane_row(step), row_name(60, 'sector'), row_name(78, '8 words')];
  step.lanes.forEach((lane, k) => parts.push(wire(middle(lane), 15,
    x(sector_of(words_of(step, k)[0]), words_of(step, k)[0] % 8 + 0.5), 60, colour(0))));
  order.forEach((sector, i) => parts.push(box(x(sector, 0), 60, width - 2, 'cell'),
    width > 24 || i % 2 === 0 ? label(x(sector, 4), 60, sector, '') : '',
    ...range(8).map(word => sectors.get(sector).has(8 * sector + word)
      ? box(x(sector, word), 78, word_width, 'word', colour(0))
      : box(x(sector, word), 78, word_width, 'idle'))));
  return parts.join('');
}

function shuffle_svg(step) {
  return lane_row(step) + row_name(17, 'gives') + row_name(75, 'gets') +
    row_name(93, 'hatched: nobody uses what the lane gets') + step.lanes.map((lane, k) => {
    const unused = has(step.unused, lane), from = step.source[k];
    return label(middle(lane), 17, short(step.before[k], 20), 'value') +
      (has(step.outside, lane) ? '' : wire(middle(from), 32, middle(lane), 75,
        unused ? 'var(--line)' : 'var(--act)')) +
      box(column(lane), 75, 19, unused ? 'idle' : 'cell', unused ? '' : colour(0)) +
      label(middle(lane), 75, short(step.after[k], 20), unused ? 'value' : 'value on');
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

// All drawings of a trace are equally high, so that nothing below them jumps.
function request_html(trace, step) {
  if (is_finding(step)) return finding_html(trace, trace.findings[step.finding]);
  const pitch = Math.max(6, Math.min(17, 220 / tower));
  return `<svg viewBox="0 0 700 ${Math.max(110, 72 + pitch * tower)}" role="img" ` +
    'aria-label="the request; the sentence below says it"><defs><pattern id="hatch" width="4" ' +
    'height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" ' +
    'd="M0 0V4"/></pattern></defs>' + (step.shared ? shared_svg(step, pitch)
    : step.global ? global_svg(step)
      : step.kind === 'shuffle' ? shuffle_svg(step) : opens(step) ? '' : lane_row(step)) + '</svg>';
}

// An array in rows of 128 bytes: 32 words, one under each other where they are in one bank. From
// one word to the next it is `pitch` pixels.
function array_rows(trace, state, step, array, pitch) {
  const unit = Math.min(WORD, array.element), span = array.element / unit, now = new Map();
  const memory = state.memory.get(array), rows = new Map();
  (step.index || []).forEach((index, k) => range(step.elements).forEach(e => {
    const v = k * step.elements + e;
    if (step.arrays[k] === array) now.set(index + e, {w: step.part ? step.part[k] : 0,
      type: step.kind === 'load' ? 'read' : step.before[v] === step.after[v] ? 'written'
        : 'written changed'});
  }));
  (is_finding(step) ? trace.findings[step.finding].accesses : []).forEach(access => {
    if (trace.arrays[access.array] === array) now.set(access.index, {w: 5, type: 'read'});
  });
  range(array.high - array.low).map(i => array.low + i).forEach(i => {
    const byte = array.phase + i * array.element, row = Math.floor(byte / ROW);
    const {w, type} = now.get(i) || {w: 0, type: ''}, value = memory.get(i);
    const shown = unit < WORD || value === undefined ? ''
      : short(value, span * pitch - 3, type.endsWith('changed') ? 1 : 0);
    rows.set(row, (rows.get(row) || `<b>${index_text(array, i)}</b>`) +
      `<i class="${type} ${value === undefined ? 'never' : ''}" style="--c:${colour(w)};` +
      `grid-column:${byte % ROW / unit + 2}/span ${span}" title="${safe(array.name)}` +
      `${index_text(array, i)} ${value ?? 'never written'}">${shown}</i>`);
  });
  return [`<b>${safe(array.name)}</b>`].concat(
    [...rows.values()].map(row => row_html(ROW / unit, row)));
}

function memory_rows(trace, state, step, pitch) {
  const shared = trace.arrays.filter(array => array.space === 'shared');
  return (shared.length ? shared : trace.arrays)
    .flatMap(array => array_rows(trace, state, step, array, pitch));
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
  return '<table><tr><th></th>' + names.map(n => `<th colspan="2">${n}</th>`).join('') +
    '</tr><tr><th>round</th>' + names.map(() => '<th>A</th><th>B</th>').join('') + '</tr>' +
    rows.map(e => `<tr class="${e === epoch ? 'here' : ''}"><td>${e}</td>` + names.map(name => {
      const [a, b] = [value(0, e, name), value(1, e, name)], type = a === b ? '' : 'differs';
      return `<td class="${type}">${a}</td><td class="${type}">${b}</td>`;
    }).join('') + '</tr>').join('') + '</table>';
}

const counter_rows = (trace, state) => Object.keys(trace.counters).map(name =>
  `<tr><td>${name}` + (name === 'divergent_branches'
    ? ' <small>of the source; of a short one nvcc makes predicates</small></td><td>'
    : `</td><td>${state.counters[name] || 0}`) + `</td><td>${trace.counters[name]}</td></tr>`);

// ---- the controls ----

// The places of the scrubber: for each trace a step. Two traces go from barrier to barrier
// together: the one with fewer steps on the way waits for the other.
const places = range(most(traces.map(trace => trace.epochs.length))).flatMap(e => {
  const parts = traces.map(trace => trace.epochs[e] || trace.epochs.slice(-1)[0].slice(-1));
  return range(most(parts.map(part => part.length))).map(i =>
    ({epoch: e, steps: parts.map(part => part[Math.min(i, part.length - 1)])}));
});

const views = traces.map(() => $('view').content.firstElementChild.cloneNode(true));
const versus = document.createElement('section'); // between two views
let here = 0, leader = 0, playing = 0; // leader: the trace whose steps the keys look for

function draw(view, trace, t) {
  const part = name => view.querySelector('.' + name), step = trace.steps[t];
  const state = replay(trace, t), {font} = getComputedStyle(part('memory'));
  fonts = [font, 'bold ' + font];
  fill(part('code'), source_rows(trace, state, step));
  const file = trace.files[step.file], line = file && file.lines[step.line - file.first];
  view.querySelector('summary').textContent = line ? `Line ${step.line}: ${line.trim()}` : 'Source';
  fill(part('warps'), warps_rows(trace, state, step));
  fill(part('request'), [request_html(trace, step)]);
  for (let width = -1; width !== part('memory').clientWidth;) { // with its scrollbar it is smaller
    width = part('memory').clientWidth;
    fill(part('memory'), memory_rows(trace, state, step, 0.915 * width / LANES));
  }
  part('sentence').textContent = sentence(trace, state, step);
  part('sofar').textContent = so_far(state.counters);
  fill(part('counters'), counter_rows(trace, state));
  for (const panel of [part('code'), part('memory')]) { // scroll to where it happens
    const now = panel.querySelector('.here, .read, .written');
    const top = now ? now.offsetTop - panel.offsetTop - panel.scrollTop : 30;
    if (top < 30 || top > panel.clientHeight - 30) panel.scrollTop += top - panel.clientHeight / 2;
  }
}

function go(to) {
  here = Math.max(0, Math.min(places.length - 1, to));
  views.forEach((view, i) => draw(view, traces[i], places[here].steps[i]));
  if (traces.length > 1) versus.innerHTML = versus_html(places[here].epoch);
  $('place').textContent = `step ${here + 1} of ${places.length}`;
  $('scrubber').value = here + 1;
  history.replaceState(null, '', '#step=' + (here + 1));
}

const step_of = (p, i) => traces[i].steps[places[p].steps[i]];
const comes = (p, i) => p === 0 || step_of(p, i) !== step_of(p - 1, i); // to another step

// Goes to the nearest place behind (or, with by = -1, before) this one where a step is wanted.
function find(wanted, by, what) {
  for (let p = here + by; p >= 0 && p < places.length; p += by)
    for (let i = 0; i < traces.length; i++)
      if (comes(p, i) && wanted(step_of(p, i), i)) return go(p, leader = i);
  views[leader].querySelector('.sentence').textContent = `No ${what} from step ${here + 1} on.`;
}

// The same instruction, met once more: by this warp, or by any; or else any that is met again.
function find_round(by) {
  const now = step_of(here, leader), {steps} = traces[leader], t = steps.indexOf(now);
  const other = step => step.pc === now.pc && step.kind === now.kind && step.round !== now.round;
  const rest = by > 0 ? steps.slice(t + 1) : steps.slice(0, t);
  const wanted = [step => other(step) && step.warp === now.warp, other,
    step => step.after && step.round === 2].find(kind => rest.some(kind));
  find((step, i) => i === leader && wanted && wanted(step), by, 'other round');
}

function find_warp(by) {
  const now = step_of(here, leader);
  find((step, i) => i === leader && step.pc === now.pc && step.kind === now.kind &&
    step.round === now.round && step.warp === now.warp + by, by, 'other warp here');
}

function play() {
  const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? 3000 : 500;
  const on = () => here < places.length - 1 ? go(here + 1) : play();
  clearInterval(playing);
  playing = playing ? 0 : setInterval(on, pause);
  $('play').textContent = playing ? 'stop' : 'play';
}

const keys = {
  ArrowLeft: event => event.shiftKey ? find_round(-1) : go(here - 1),
  ArrowRight: event => event.shiftKey ? find_round(1) : go(here + 1),
  ArrowUp: () => find_warp(-1),
  ArrowDown: () => find_warp(1),
  Home: () => go(0),
  End: () => go(places.length - 1),
  ' ': play,
  b: () => find(opens, 1, 'barrier that opens'),
  r: () => find_round(1),
  c: () => find(step => step.above, 1, 'request above its ideal'),
  f: () => find(is_finding, 1, 'finding'),
  '?': () => $('help').showModal(),
};

addEventListener('keydown', event => {
  const other = event.ctrlKey || event.altKey || event.metaKey || // not for us, or for a button
    event.key === ' ' && /BUTTON|SUMMARY/.test(event.target.tagName);
  if (other || !keys[event.key] && !$('help').open) return;
  if ($('help').open) $('help').close();
  else keys[event.key](event);
  event.preventDefault();
});
addEventListener('click', event => {
  const asked = event.target.closest('[data-key], [data-step], .met');
  const i = views.findIndex(view => view.contains(event.target));
  if (i >= 0) leader = i;
  if (!asked) return;
  const {key, step, place} = asked.dataset;
  if (key) keys[key](event);
  if (step) go(places.findIndex(p => p.steps[leader] === Number(step)));
  if (place) find((s, t) => t === leader && place_of(s) === place, 1, 'step of this line');
});
const go_to_address = () => go((/^#step=(\d+)$/.exec(location.hash) || [0, 1])[1] - 1);
addEventListener('hashchange', go_to_address);
addEventListener('resize', () => go(here));
$('scrubber').addEventListener('input', () => go($('scrubber').value - 1));

function marks_svg() {
  const shape = (step, x) => opens(step) ? `<path class="tick" d="M${x} 0V10"/>`
    : is_finding(step) ? `<path class="finding" d="M${x - 5} 10h10l-5 -10z"/>`
      : step.above ? `<path class="conflict" d="M${x - 1} 5h2v5h-2z"/>` : '';
  return places.map((_, p) => traces.map((_trace, i) => comes(p, i)
    ? shape(step_of(p, i), 5 + 990 * p / Math.max(1, places.length - 1)) : '').join('')).join('');
}

document.title = $('title').textContent = traces.map(trace => trace.title).join(' and ');
document.querySelector('main').classList.toggle('two', traces.length > 1);
document.querySelector('main').append(...views);
if (traces.length > 1) views[0].after(versus);
versus.className = 'versus';
views.forEach((view, i) => {
  const {title, what} = traces[i];
  view.querySelector('h2').textContent = traces.length < 2 ? what : `${'AB'[i]}: ${title}, ${what}`;
  view.querySelector('.source').open = view.clientWidth > 860;
});
$('scrubber').max = places.length;
$('marks').innerHTML = marks_svg();
go_to_address();
