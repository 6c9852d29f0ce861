// Call stacks with the costs of the chosen value and label, in the chosen order.

/** The function of a cell of the tree; in a difference, names of the tree have no source location. */
function functionOfCell(cell) {
  const id = cell[0] === "@" ? Number(cell.slice(1)) : -1;
  if (!isOfSides || id < 0 || isFunction(id)) return id;
  const namesakes = functionsOf(Number(nameOf[id])).filter(isFunction);
  return namesakes.length === 1 ? namesakes[0] : id;
}

/** The frames of the tree as the report has them. */
const recordedFrames = once(() => {
  const [depths, percents] = ["depth", "percent"].map((id) => tree.numbers(tree.column(id)));
  const ids = Int32Array.from(tree.cells(tree.name), functionOfCell);
  return new Frames({ depths, ids, numbers: tree.textNumbers(tree.name), totals: percents, rows: true, all: 100 });
});

// Costs of frames can be added up where stacks begin with callers, and belong to one side.
const canAdd = Boolean(
  tree?.length && !isOfSides && !tree.summary.some((one) => one.startsWith("Callers are below")),
);
const weightOf = (id) => (canAdd ? tree.column(id) : undefined);
const primary = data.metrics.find((metric) => metric.primary)?.id;

/** The chosen self costs of frames, or else those of the report. */
const costsOfFrames = () =>
  chosenCosts() ?? { weights: tree.numbers(weightOf("weight")).map((one) => one || 0), unit: weightOf("weight").unit };

/** The percentage below which frames that the page adds up are left out, as in the report. */
const LEAST_SHARE = 0.05;
const MOST_FRAMES = 50000;
const DEEPEST = 4000;

/** Frames of groups of stacks, in the order of their costs. Items are stacks with a place in them. */
function grown(items, nextOf, all, deepest = DEEPEST) {
  const [depths, ids, numbers, totals, selfs] = [[], [], [], [], []];
  const { ids: idOf, numbers: numberOf } = recordedFrames();
  const groupsOf = (found) => {
    const groups = new Map();
    for (const item of found) {
      const key = numberOf[item.row] * 2 ** 32 + idOf[item.row];
      if (!groups.has(key)) groups.set(key, { row: item.row, cost: 0, items: [] });
      const group = groups.get(key);
      group.cost += item.cost;
      group.items.push(item);
    }
    const large = [...groups.values()].filter((group) => group.cost * 100 >= LEAST_SHARE * all);
    return large.sort((a, b) => a.cost - b.cost || b.row - a.row);
  };
  const pending = groupsOf(items).map((group) => ({ ...group, depth: 0 }));
  while (pending.length && depths.length < MOST_FRAMES) {
    const group = pending.pop();
    depths.push(group.depth);
    ids.push(idOf[group.row]);
    numbers.push(numberOf[group.row]);
    totals.push(group.cost);
    const { next, own } = nextOf(group.items);
    selfs.push(own);
    if (group.depth < deepest) pending.push(...groupsOf(next).map((one) => ({ ...one, depth: group.depth + 1 })));
  }
  return { depths, ids, numbers, totals, selfs };
}

/** The cost of each frame with all that it calls; a caller is always before what it calls. */
function totalsOf(weights, callers) {
  const totals = Float64Array.from(weights);
  for (let row = totals.length - 1; row >= 0; row--) if (callers[row] >= 0) totals[callers[row]] += totals[row];
  return totals;
}

/** Frames from the top; if calls of one function within another are merged, these have one frame. */
function framesDown(recorded, all, isMerged) {
  const { callers: recordedCallers, ids, n } = recordedFrames();
  const weights = new Float64Array(n);
  const [callers, frameOf, below] = [new Int32Array(n), new Int32Array(n), new Map()];
  for (let row = 0; row < n; row++) {
    const caller = recordedCallers[row] < 0 ? -1 : frameOf[recordedCallers[row]];
    let outer = isMerged && ids[row] >= 0 ? caller : -1;
    while (outer >= 0 && ids[outer] !== ids[row]) outer = callers[outer];
    frameOf[row] = outer >= 0 ? outer : row;
    callers[row] = caller;
    weights[frameOf[row]] += recorded[row];
    if (outer >= 0) continue;
    if (!below.has(caller)) below.set(caller, []);
    below.get(caller).push(row);
  }
  const totals = totalsOf(weights, callers);
  const itemsBelow = (row) =>
    (below.get(row) ?? []).filter((at) => totals[at] > 0).map((at) => ({ row: at, cost: totals[at] }));
  const nextOf = (items) => ({
    next: items.flatMap(({ row }) => itemsBelow(row)),
    own: items.reduce((sum, { row }) => sum + weights[row], 0),
  });
  return grown(itemsBelow(-1), nextOf, all);
}

/** The frames that others call, with their totals. */
const calleesOf = (items, totals) =>
  items
    .flatMap(({ row }) => recordedFrames().childrenOf(row))
    .filter((row) => totals[row] > 0)
    .map((row) => ({ row, cost: totals[row] }));

/** Passes each frame with the key of its function, and whether none of its callers is the same function. */
function eachFrame(keys, visit) {
  const { depths } = recordedFrames();
  const [open, path] = [new Map(), []];
  keys.forEach((key, row) => {
    for (const done of path.splice(depths[row])) open.set(done, open.get(done) - 1);
    path.push(key);
    const nOpen = open.get(key) ?? 0;
    open.set(key, nOpen + 1);
    visit(key, row, nOpen === 0);
  });
}

/** Each function with its total over all callers, and below it what it calls. Its calls of itself count once. */
function framesByFunction(weights, all) {
  const { callers, ids, numbers } = recordedFrames();
  const totals = totalsOf(weights, callers);
  const [selfs, items] = [new Map(), []];
  const keys = Array.from(ids, (id, row) => numbers[row] * 2 ** 32 + id);
  eachFrame(keys, (key, row, isOutermost) => {
    selfs.set(key, (selfs.get(key) ?? 0) + weights[row]);
    if (isOutermost && totals[row] > 0 && tree.kind(row) !== "rest") items.push({ row, cost: totals[row] });
  });
  const nextOf = (found) => ({
    next: calleesOf(found, totals),
    own: found.reduce((sum, { row }) => sum + weights[row], 0),
  });
  let made;
  // The frames of the first functions leave room for the others.
  for (const deepest of [DEEPEST, 12, 1])
    if (!made || made.depths.length >= MOST_FRAMES) made = grown(items, nextOf, all, deepest);
  made.depths.forEach((depth, at) => {
    if (!depth) made.selfs[at] = selfs.get(made.numbers[at] * 2 ** 32 + made.ids[at]);
  });
  return made;
}

/** Frames from the bottom: functions with their self cost, and below them those that called them. */
function framesUp(weights, all) {
  const { callers, n } = recordedFrames();
  const items = [];
  for (let row = 0; row < n; row++) if (weights[row] > 0) items.push({ row, cost: weights[row] });
  const callersOf = (found) => {
    const next = found.filter(({ row }) => callers[row] >= 0).map(({ row, cost }) => ({ row: callers[row], cost }));
    return {
      next,
      own: found.reduce((sum, { cost }) => sum + cost, 0) - next.reduce((sum, { cost }) => sum + cost, 0),
    };
  };
  return grown(items, callersOf, all);
}

// Frames of recent choices.
const MOST_KNOWN = 16;
const known = new Map();
/** The frames of the state. */
function chosenFrames() {
  const way = canAdd ? (state.way ?? "") : "";
  const chosen = canAdd ? chosenCosts() : null;
  const key = `${way} ${chosen?.key}`;
  if (known.has(key)) return known.get(key);
  if (!weightOf("weight") || (!chosen && !["up", "merged", "functions"].includes(way))) return recordedFrames();
  const { weights, unit } = costsOfFrames();
  const all = weights.reduce((sum, one) => sum + one, 0);
  const grownFrames =
    way === "up"
      ? framesUp(weights, all)
      : way === "functions"
        ? framesByFunction(weights, all)
        : framesDown(weights, all, way === "merged");
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, new Frames({ ...grownFrames, all, unit }));
  return known.get(key);
}

/** Self cost and total of each function as chosen, as a table like the flat profile. */
function chosenTable() {
  const chosen = canAdd ? chosenCosts() : null;
  if (!chosen) return null;
  const { weights, unit } = chosen;
  const frames = recordedFrames();
  const totals = totalsOf(weights, frames.callers);
  const sums = new Map();
  eachFrame(tree.cells(tree.name), (cell, row, isOutermost) => {
    const isListed = isFunction(frames.ids[row]) || tree.kind(row) === "unattributed";
    if (!isListed || !totals[row]) return;
    if (!sums.has(cell)) sums.set(cell, { cell, kind: tree.kind(row), self: 0, total: 0 });
    const sum = sums.get(cell);
    sum.self += weights[row];
    if (isOutermost) sum.total += totals[row];
  });
  const all = weights.reduce((sum, one) => sum + one, 0);
  const rows = [...sums.values()].sort((a, b) => b.self - a.self || b.total - a.total);
  const percent = (cost) => (all ? (cost / all) * 100 : 0).toFixed(6);
  const columns = [
    ["percent", "share", ["self", "%"], 1, (row) => percent(row.self)],
    ["self", "self", ["self", ""], 0, (row) => String(row.self)],
    ["total_percent", "share", ["total", "%"], 1, (row) => percent(row.total)],
    ["total", "total", ["total", ""], 0, (row) => String(row.total)],
    ["name", "name", ["name", ""], 0, (row) => row.cell],
  ].map(([id, role, head, decimals, of]) => ({ id, role, head, print: { decimals }, of }));
  const shownOf = ({ role, of }) =>
    ["self", "total"].includes(role) ? rows.map((row) => inUnit(Number(of(row)), unit)).join("|") : "";
  const block = {
    kinds: rows.map((row) => KINDS.indexOf(row.kind === "unattributed" ? "unattributed" : "entry")).join(""),
    cells: columns.map(({ of }) => rows.map(of).join(",")),
    shown: columns.map(shownOf),
  };
  const table = new Table(
    { id: "chosen", title: "Chosen costs", summary: [], notes: [], columns, blocks: [block] },
    -1,
  );
  return Object.assign(table, { all, unit });
}
