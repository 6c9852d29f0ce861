// Source lines with their cost.

const sources = tables.filter((table) => table.id === "source");
const fileOfSource = (table) => table.title.replace(/^\*+ File /, "");

/** Rows with a cost, the hottest first. */
function hottestLines(table) {
  const column = table.share || table.columns.find((one) => one.role === "self");
  const values = column && table.numbers(column);
  if (!values) return [];
  const rows = Array.from(values.keys()).filter((row) => values[row] > 0);
  return rows.sort((a, b) => values[b] - values[a] || a - b);
}

/** The source table of a function and the row of its first line, if its file is in the page. */
function sourceOf(id) {
  const file = id === undefined ? "" : textAt(fileOf[id]);
  const table = file && sources.find((one) => fileOfSource(one) === file);
  const row = table && table.column("line") ? table.cells(table.column("line")).indexOf(lineOf[id]) : -1;
  return table ? { table, row } : null;
}

/** A source file in the whole window. */
function showSource() {
  const table = sources[Number(state.source)] || sources[0];
  const view = new TableView(table, { canSort: false });
  const hot = hottestLines(table);
  let at = -1;
  const next = () => {
    at = (at + 1) % hot.length;
    view.moveTo(view.lines.indexOf(hot[at]));
  };
  const pick = make(
    "select",
    { id: "file", onchange: (event) => dispatch({ type: "choose", source: event.target.value }, true) },
    sources.map((one, index) => make("option", { value: index, selected: one === table }, fileOfSource(one))),
  );
  const body = view.withTools();
  const tools = body.querySelector(".tools");
  if (sources.length > 1) tools.prepend(make("label", { for: "file" }, "File "), pick);
  if (hot.length) tools.append(make("button", { type: "button", onclick: next }, "Next hottest line"));
  body.classList.add("code");
  // Tables on this file follow it.
  const others = [];
  for (let one = table.index + 1; tables[one]?.id.startsWith("source-"); one++)
    others.push([make("a", { href: `#${addressOf(tables[one])}` }, tables[one].title), " "]);
  show(
    fileOfSource(table),
    paragraphs(table.summary),
    body,
    paragraphs(table.notes),
    make("p", {}, others),
    copyable(command(...optionsOf("source"))),
  );
  start(view);
  const found = sourceOf(selected);
  const first = found?.table === table && found.row >= 0 ? found.row : Math.min(...hot);
  view.showLine(view.lines.indexOf(first));
  return {
    update(before) {
      if (before.source === state.source) view.restart();
      else mount();
    },
  };
}

/** The source of a function at its first line. */
function sourcePane(id) {
  const found = sourceOf(id);
  if (!found) return null;
  const view = new TableView(found.table, { canSort: false, label: fileOfSource(found.table) });
  const hot = hottestLines(found.table);
  const link = linkToView("", { source: sources.indexOf(found.table), f: state.f, in: state.in, k: state.k });
  const whole = make("p", {}, fileOfSource(found.table), " ", make("a", { href: link }, "Whole window"));
  const start = () => {
    view.update();
    view.showLine(view.lines.indexOf(found.row < 0 && hot.length ? Math.min(...hot) : found.row));
  };
  return { part: pane("Source", "code", whole, view.scroll), start };
}
