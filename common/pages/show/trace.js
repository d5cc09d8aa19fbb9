// SPDX-License-Identifier: MIT
//
// trace.js - of the page of `make show`: the trace, what is true after a step, and the sentences
// that say it. show.c wrote the traces; show.js draws.
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
  step.excess = step.wavefronts - step.ideal || step.sectors - step.ideal_sectors || 0;
  step.above = step.excess > 0;
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

const LETTERS = {load: 'L', store: 'S', atomic: 'A', arrive: 'B', shuffle: 'X', vote: 'V',
  syncwarp: 'W', exit: 'E'};
const WORDS_OF = {load: 'loads', store: 'stores', atomic: 'changes by an atomic',
  arrive: 'comes to the barrier', shuffle: 'exchanges a value', vote: 'votes',
  syncwarp: 'meets its warp', exit: 'leaves the kernel'};

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

function finding_text({title, accesses, stopped}) {
  const verb = {load: 'reads', store: 'writes', atomic: 'changes'};
  const who = accesses.filter(a => a.array >= 0).map(a =>
    `thread ${a.thread} ${verb[a.kind]} ${a.element}` + (a.line ? ` in line ${a.line}` : ''));
  return `Found: ${title}.` + (!who.length ? '' : ` T${who.join(' and ').slice(1)}` +
    (who.length > 1 ? ', and nothing makes one of them wait for the other.'
      : stopped ? ', and the kernel stops there.' : '.'));
}

function sentence(trace, state, step) {
  if (is_finding(step)) return finding_text(trace.findings[step.finding]);
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

// The line that costs most above its ideal, of the whole trace.
function dearest_line(trace) {
  const {lines} = replay(trace, trace.steps.length - 1);
  const above = line => line.wavefronts - line.ideal + line.sectors - line.ideal_sectors;
  const [place, line] = [...lines].sort((a, b) => above(b[1]) - above(a[1]))[0] || [];
  if (!place || above(line) === 0) return '';
  const cost = (name, ideal) => line[name] > line[ideal]
    ? [`${plural(line[name], name.slice(0, -1))} where ${line[ideal]} would do`] : [];
  return `Line ${place.split(':')[1]} costs most: ` +
    [...cost('wavefronts', 'ideal'), ...cost('sectors', 'ideal_sectors')].join(', ') + '.';
}

// What the k-th lane of a step does.
function lane_text(step, k) {
  const lane = `lane ${step.lanes[k]}`;
  if (step.kind === 'shuffle')
    return `${lane} gives ${step.before[k]} and gets ${step.after[k]}` +
      (has(step.outside, step.lanes[k]) ? ', its own' : ` from lane ${step.source[k]}`);
  if (!step.space) return `${lane} ${WORDS_OF[step.kind]}`;
  const array = step.arrays[k], first = step.index[k], last = first + step.elements - 1;
  const values = list => list.slice(k * step.elements, (k + 1) * step.elements).join(', ');
  const [word] = words_of(step, k);
  return `${lane} ${WORDS_OF[step.kind]} ${array.name}${index_text(array, first)}` +
    (last > first ? ` to ${index_text(array, last)}` : '') + ': ' +
    (step.kind === 'load' ? '' : `${values(step.before)} becomes `) + values(step.after) +
    (step.shared ? `; bank ${bank_of(word)}, wavefront ${step.part[k] + 1}`
      : step.global ? `; sector ${sector_of(word)}` : '');
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

