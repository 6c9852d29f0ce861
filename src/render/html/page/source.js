// Source lines with their cost.

const sources = tables.filter((table) => table.id === "source");
const fileOfSource = (table) => table.title.replace(/^\*+ File /, "");

function showSource(number) {
  const table = sources[number] || sources[0];
  const view = new TableView(table, { canSort: false });
  const column = table.share || table.columns.find((one) => one.role === "self");
  const values = column && table.numbers(column);
  const hot = values
    ? Array.from(values.keys())
        .filter((row) => values[row] > 0)
        .sort((a, b) => values[b] - values[a] || a - b)
    : [];
  let at = -1;
  const next = () => {
    at = (at + 1) % hot.length;
    view.moveTo(view.lines.indexOf(hot[at]));
  };
  const pick = make(
    "select",
    { id: "file", onchange: (event) => (location.hash = `source=${event.target.value}`) },
    sources.map((one, index) => make("option", { value: index, selected: one === table }, fileOfSource(one))),
  );
  const body = view.withTools();
  if (sources.length > 1) body.querySelector(".tools").prepend(make("label", { for: "file" }, "File "), pick);
  if (hot.length)
    body.querySelector(".tools").append(make("button", { type: "button", onclick: next }, "Next hottest line"));
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
  const line = table.column("line");
  const isOfFile = selected !== undefined && line && textAt(fileOf[selected]) === fileOfSource(table);
  const first = isOfFile ? table.cells(line).indexOf(lineOf[selected]) : -1;
  view.showLine(view.lines.indexOf(first < 0 && hot.length ? hot.reduce((a, b) => Math.min(a, b)) : first));
}

function sourceLink(id) {
  const file = textAt(fileOf[id]);
  const at = sources.findIndex((table) => fileOfSource(table) === file);
  return at < 0
    ? null
    : [" ", make("a", { href: fragment("", { source: at, ...addressOfFunction(id) }) }, "source")];
}
