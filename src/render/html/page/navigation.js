// Views, and the way from one to another.

const addressOf = (table) =>
  tables.find((one) => one.id === table.id) === table ? table.id : `${table.id}.${table.index}`;
const hidden = new Set(["graph", "index", "source"]);
const ofOneSource = new Set(["source-top", "source-summary", "by-file"]);
const hottest = () => {
  const table = flat?.length ? flat : graphTable;
  for (let row = 0; row < Math.min(table.length, 1000); row++) {
    const id = table.nameId(table.name, row);
    if (table.kind(row) === "entry" && id >= 0) return linkTo(id);
  }
  return null;
};
// The views: key, title and address. What is selected and searched stays so in each.
const chosen = () => ({ ...selection(selected ?? -1), q: searched || undefined });
const links = [["", "Overview", () => "#"]];
const addLink = (id, label) => links.push([id, label, () => fragment(id, chosen())]);
for (const table of tables) {
  if (table.id === "graph" && hottest())
    links.push(["f", "Callers and callees", () => (selected === undefined ? hottest() : linkTo(selected))]);
  if (table.id === "source" && table === sources[0])
    links.push(["source", "Source", () => fragment("", { source: 0, ...chosen() })]);
  if (hidden.has(table.id) || ofOneSource.has(table.id)) continue;
  addLink(addressOf(table), table.title);
  if (table === tree && table.length) addLink("flame", "Flame graph");
}
if (byFile?.length) {
  addLink("runs", runs().title);
  addLink(byFile.id, byFile.title);
}
const anchors = links.map(([, label]) => make("a", {}, label));
const navigation = make(
  "nav",
  { "aria-label": "Views" },
  make(
    "ul",
    {},
    anchors.map((anchor) => make("li", {}, anchor)),
  ),
);
const keyOfView = () =>
  view || (parameters.has("source") && sources.length ? "source" : parameters.has("f") ? "f" : "");
function markLinks() {
  links.forEach(([key, , address], at) => {
    anchors[at].setAttribute("href", address());
    if (key === keyOfView()) anchors[at].setAttribute("aria-current", "page");
    else anchors[at].removeAttribute("aria-current");
  });
}

let onResize = null;
/** Takes another address of the same view. */
let onAddress = null;
function route() {
  performance.mark("view");
  views.clear();
  onResize = onAddress = null;
  markLinks();
  const key = keyOfView();
  if (key === "source") showSource(Number(parameters.get("source")));
  else if (key === "f") showFunction(parameters.get("f"), selected);
  else if (key === "flame" && tree?.length) showFlame();
  else if (key === "runs" && byFile?.length) showTable(runs());
  else {
    const table = tables.find((one) => addressOf(one) === key && !hidden.has(one.id));
    if (table) showTable(table);
    else showOverview();
  }
  performance.measure("viewed", "view");
}

const jump = make(
  "a",
  { class: "skip", href: "#main", onclick: (event) => (event.preventDefault(), main.focus()) },
  "Skip to the report",
);
document.body.prepend(jump, make("header", {}, make("p", { class: "title" }, title), navigation), main);
addEventListener("hashchange", () => {
  const before = keyOfView();
  readAddress();
  if (onAddress && keyOfView() === before) return (markLinks(), onAddress());
  route();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
});
addEventListener("resize", () => {
  for (const view of views) view.update();
  onResize?.();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input,select,textarea"))
    return;
  const field = main.querySelector("input.search");
  if (!field) return;
  event.preventDefault();
  field.focus();
});
// Rows out of view are on paper too, as far as they fit.
const printing = (isOn) => () => {
  for (const view of views) {
    view.isPrinting = isOn;
    view.draw();
  }
};
addEventListener("beforeprint", printing(true));
addEventListener("afterprint", printing(false));
readAddress();
route();
performance.mark("ready");
// Orders of many rows take long; they are made before somebody asks, one at a time.
const ahead =
  texts.length > 20000
    ? [
        textRanks,
        lowered,
        ...(flat?.columns ?? []).filter((column) => column.print).map((column) => () => flat.ranks(column)),
      ]
    : [];
const makeNext = () => {
  ahead.shift()?.();
  if (ahead.length) setTimeout(makeNext, 20);
};
setTimeout(makeNext, 300);
