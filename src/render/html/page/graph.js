// Functions of the report, with their callers and callees.

/** The groups of the call graph: callers, entry, callees; by name. */
const graph = once(() => {
  const table = graphTable;
  const units = [];
  const ofName = new Map();
  let start = 0;
  const CALLER = KINDS.indexOf("caller");
  for (let row = 0; row < table.length; row++) {
    const isBehindCaller = row > 0 && table.kindNumber(row - 1) === CALLER;
    const isHead = !table.belongs(row);
    if (!isBehindCaller && (isHead || table.kindNumber(row) === CALLER)) start = row;
    if (!isHead) continue;
    if (units.length) units.at(-1).end = start;
    const unit = { start, head: row, end: table.length };
    const cell = table.cells(table.name)[row];
    if (!ofName.has(cell)) ofName.set(cell, unit);
    units.push(unit);
  }
  return { units, ofName };
});

/** The tables that have a row for each function. */
const ofFunctions = ["flat", "difference", "spread"].map(tableOf).filter((table) => table?.length);

/** The functions that have a row in these tables, as cells: other names are cycles, and costs in no function. */
const functionCells = once(() => {
  const cells = new Set();
  for (const table of ofFunctions)
    table.cells(table.name).forEach((cell, row) => table.kind(row) === "entry" && cells.add(cell));
  return cells;
});
const isFunction = (id) => {
  const isIn = (cells) => cells.has(`@${id}`);
  return id >= 0 && (isIn(functionCells()) || Boolean(graphTable && isIn(graph().ofName)) || isIn(rowsByFile()));
};
