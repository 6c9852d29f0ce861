// Samples of frames by label and time, and those that are chosen.

// A saved report may have more slices, and more values of a label.
const MOST_SLICES = 256;
const SECOND = 1e9;

const samples = tableOf("samples");
/** The numbers of a column, which is missing if no sample has one. */
function sampleNumbers(id) {
  const column = samples.column(id);
  return column ? samples.numbers(column) : new Float64Array(samples.length).fill(NaN);
}

/** The labels of each set of labels, as `KEY=VALUE`. */
const labelsOfSets = once(() => {
  const table = tableOf("labels");
  const sets = new Map();
  for (let row = 0; row < (samples && table ? table.length : 0); row++) {
    const [set, key, value] = ["set", "key", "value"].map((id) => table.shown(table.column(id), row));
    if (!sets.has(Number(set))) sets.set(Number(set), []);
    sets.get(Number(set)).push([key, value]);
  }
  return sets;
});
const textOfLabel = ([key, value]) => `${key}=${value}`;

/** All labels by key, those with the largest costs first. */
const labels = once(() => {
  const costs = new Map();
  const [ofSets, weights] = samples ? [sampleNumbers("set"), sampleNumbers("weight")] : [[], []];
  weights.forEach((weight, row) => {
    for (const [key, value] of labelsOfSets().get(ofSets[row]) ?? []) {
      if (!costs.has(key)) costs.set(key, new Map());
      costs.get(key).set(value, (costs.get(key).get(value) ?? 0) + (weight || 0));
    }
  });
  const sorted = (values) => [...values].sort((a, b) => b[1] - a[1]).map(([value]) => value).slice(0, MOST_SLICES);
  return new Map([...costs].map(([key, values]) => [key, sorted(values)]));
});

/** The start and width of slices of time in nanoseconds, and their number; null without times. */
const slices = once(() => {
  const table = tableOf("slices");
  if (!samples?.length || !table?.length) return null;
  const [start, width] = ["start", "width"].map((id) => table.numbers(table.column(id))[0]);
  const n = 1 + sampleNumbers("slice").reduce((last, one) => (one > last && one < MOST_SLICES ? one : last), 0);
  return start >= 0 && width > 0 ? { start, width, n } : null;
});

/** The start of a slice in seconds, as `--seconds` takes it. */
function secondsOf(slice) {
  const time = slices().start + slice * slices().width;
  const part = String(time % SECOND).padStart(9, "0");
  return `${Math.floor(time / SECOND)}.${part}`.replace(/\.?0+$/, "");
}
const rangeText = (first, end) => `${secondsOf(first)}..${secondsOf(end)}`;

/** The first slice and the end of those in a time; null for the whole run, or if it is none. */
function slicesIn(seconds) {
  const found = /^(\d{1,10}(?:\.\d{1,9})?)?\.\.(\d{1,10}(?:\.\d{1,9})?)?$/.exec(seconds ?? "");
  if (!found || !canAdd || !slices()) return null;
  const { start, width, n } = slices();
  const sliceAt = (text, open) => (text === undefined ? open : Math.round((Number(text) * SECOND - start) / width));
  const first = Math.min(Math.max(sliceAt(found[1], 0), 0), n - 1);
  return { first, end: Math.min(Math.max(sliceAt(found[2], n), first + 1), n) };
}
const chosenSlices = () => slicesIn(state.seconds);

/** The chosen label, if samples have it. */
function chosenLabel() {
  const at = state.label?.indexOf("=") ?? -1;
  const isKnown = at > 0 && canAdd && labels().get(state.label.slice(0, at))?.includes(state.label.slice(at + 1));
  return isKnown ? state.label : undefined;
}

/** The column of the chosen value, or else of the first. */
const chosenValue = () => (state.value === undefined ? undefined : weightOf(`weight_${state.value}`));

/** The rows of samples with the chosen label. */
function labelledSamples() {
  const label = chosenLabel();
  const has = (set) => (labelsOfSets().get(set) ?? []).some((one) => textOfLabel(one) === label);
  const sets = new Set([...labelsOfSets().keys()].filter(has));
  const ofSets = sampleNumbers("set");
  return Array.from(ofSets.keys()).filter((row) => label === undefined || sets.has(ofSets[row]));
}

let lastCosts = {};
/** The chosen self costs of the frames of the tree, with their unit; null for those of the report. */
function chosenCosts() {
  const [value, label, time] = [chosenValue(), chosenLabel(), chosenSlices()];
  if (!value && label === undefined && !time) return null;
  const weight = value ?? weightOf("weight");
  const key = JSON.stringify([weight.id, label, time]);
  if (lastCosts.key === key) return lastCosts;
  let weights = tree.numbers(weight).map((one) => one || 0);
  if (label !== undefined || time) {
    weights = new Float64Array(tree.length);
    const [frames, ofSlices, costs] = ["frame", "slice", weight.id].map(sampleNumbers);
    for (const row of labelledSamples())
      if ((!time || (ofSlices[row] >= time.first && ofSlices[row] < time.end)) && frames[row] < tree.length)
        weights[frames[row]] += costs[row] || 0;
  }
  lastCosts = { key, weights, unit: weight.unit };
  return lastCosts;
}
