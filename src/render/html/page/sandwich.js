// A function between its callers and callees.

/** What a call costs, as far as the report has it; within a cycle as it was recorded. */
function costOfCall(row) {
  const isPart = (column) => ["self", "children"].includes(column.role) && column.print;
  const parts = graphTable.columns.filter((column) => isPart(column) || column.id === "total_in_cycle");
  return parts.reduce((sum, column) => sum + (graphTable.numbers(column)[row] || 0), 0);
}

/** Callers or callees of a function, the hottest first. */
function callsTable(label, rows) {
  if (!rows.length) return [make("h3", {}, label), make("p", {}, "None recorded.")];
  const calls = graphTable.column("calls");
  const nCalls = (row) => (calls && graphTable.numbers(calls)[row]) || 0;
  rows.sort((a, b) => costOfCall(b) - costOfCall(a) || nCalls(b) - nCalls(a) || a - b);
  const all = rows.reduce((sum, row) => sum + costOfCall(row), 0);
  const has = (column) => !graphTable.isZero(column) && rows.some((at) => graphTable.cells(column)[at] !== "");
  const isShown = (column) => (column.print && column.role !== "index") || column.id === "total_in_cycle";
  const shown = graphTable.columns.filter((column) => isShown(column) && has(column));
  const limits = graphTable.columns.filter((column) => ["limit", "marks"].includes(column.role) && has(column));
  const ids = shown.filter((column) => column !== graphTable.name).map((column) => column.id);
  const view = new TableView(graphTable, {
    rows,
    label,
    isWhole: rows.length <= 60,
    canSort: false,
    columns: [...(isNarrow() ? ids.slice(0, 2) : [...ids, ...limits.map((column) => column.id)]), "name"],
    part: all > 0 ? (row) => (costOfCall(row) / all) * 100 : null,
  });
  return [make("h3", {}, label), start(view).scroll];
}

const WITHIN_CYCLE = "Calls within a cycle contain each other, so their recorded costs may be above the whole.";

/** Callers above a function, callees below it. */
function sandwichPane(unit) {
  const rowsOf = (kinds, from, to) =>
    Array.from({ length: to - from }, (_, at) => from + at).filter((at) => kinds.includes(graphTable.kind(at)));
  const inCycle = graphTable.column("total_in_cycle");
  const isInCycle = inCycle && graphTable.cells(inCycle).slice(unit.start, unit.end).some((cell) => cell !== "");
  const legend = [...(graphTable.uncertainty.legend || []), ...(isInCycle ? [WITHIN_CYCLE] : [])];
  return pane(
    "Callers and callees",
    "sandwich",
    make("section", { "aria-label": "Callers" }, callsTable("Callers", rowsOf(["caller"], unit.start, unit.head))),
    make("p", { class: "own" }, make("strong", {}, shortNameOf(unit.head))),
    make("dl", { class: "own", "data-section": "graph", "data-row": unit.head }, numbersOf(graphTable, unit.head)),
    make(
      "section",
      { "aria-label": "Callees" },
      callsTable("Callees", rowsOf(["callee", "member"], unit.head + 1, unit.end)),
    ),
    legend.length ? make("ul", { class: "legend" }, list("li", legend)) : null,
  );
}

const shortNameOf = (row) => {
  const id = graphTable.nameId(graphTable.name, row);
  return id < 0 ? graphTable.shown(graphTable.name, row) : shortName(id);
};
