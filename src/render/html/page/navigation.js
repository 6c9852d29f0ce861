// The bar of the page, and the way from one view to another.

const addressOf = (table) =>
  tables.find((one) => one.id === table.id) === table ? table.id : `${table.id}.${table.index}`;
const hidden = new Set(["graph", "index", "source", "samples", "labels", "slices"]);
const ofOneSource = new Set(["source-top", "source-summary"]);

/** The views in groups: key, title and address. What is selected and searched stays so in each. */
function groupsOfViews() {
  const groups = new Map([
    ["Profile", []],
    ["Heap", []],
    ["Source", []],
    ["Runs", []],
  ]);
  const add = (group, key, label, address) => groups.get(group).push([key, label, address]);
  for (const table of tables) {
    if (table === sources[0]) add("Source", "source", "Source", () => linkToView("", { source: 0 }));
    if (hidden.has(table.id) || ofOneSource.has(table.id) || !table.columns.length) continue;
    const isHeap = /^(trace|heap|leaks|sizes)/.test(table.id);
    const isSource = /^(source|coverage)/.test(table.id);
    const isRuns = /^(spread|by-file|run|difference)/.test(table.id);
    const group = isHeap ? "Heap" : isSource ? "Source" : isRuns ? "Runs" : "Profile";
    add(group, addressOf(table), table.title, () => linkToView(addressOf(table)));
  }
  if (byFile?.length) add("Runs", "runs", runs().title, () => linkToView("runs"));
  return [...groups].filter(([, links]) => links.length);
}

const groups = groupsOfViews();
const anchorOf = new Map([["", make("a", {}, "Bench")]]);
const addresses = new Map([["", () => linkToView("")]]);
for (const [, links] of groups)
  for (const [key, label, address] of links) {
    anchorOf.set(key, make("a", {}, label));
    addresses.set(key, address);
  }
const menu = make(
  "details",
  { class: "menu" },
  make("summary", {}, "Tables"),
  make(
    "div",
    {},
    groups.map(([name, links]) => [
      make("h2", {}, name),
      make(
        "ul",
        {},
        links.map(([key]) => make("li", {}, anchorOf.get(key))),
      ),
    ]),
  ),
);
const aboutMenu = make("details", { class: "menu" }, make("summary", {}, "About"), make("div", {}, about()));
const navigation = make("nav", { "aria-label": "Views" }, anchorOf.get(""), menu);

const strip = canAdd && slices() ? new TimeStrip() : null;
const sum = make("p", { class: "sum" });
const choosers = make("div", { class: "choosers" }, valueChooser(), labelChooser(), moduleChooser());

/** Shows the whole cost and what is chosen. */
function updateBar() {
  const table = chosenTable();
  const chosen = table ? [make("strong", {}, inUnit(table.all, table.unit)), " of "] : [];
  const note = (data.notes?.[0] ?? "").replace(/^[\d.]+ seconds, /, "");
  sum.replaceChildren(...[...chosen, ...whole(), make("small", {}, note)]);
  strip?.update();
  for (const select of choosers.querySelectorAll("select")) select.value = state[select.name] ?? "";
}

const keyOf = ({ view, source }) =>
  source !== undefined && sources.length ? "source" : view === "flame" ? "" : view;
function markLinks() {
  const current = keyOf(state);
  for (const [key, anchor] of anchorOf) {
    anchor.setAttribute("href", addresses.get(key)());
    if (key === current) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  menu.querySelector("summary").textContent =
    anchorOf.get(current) && current ? anchorOf.get(current).textContent : "Tables";
}

let mounted = null;
/** Makes the view of the state. */
function mount() {
  performance.mark("view");
  views.clear();
  markLinks();
  updateBar();
  const key = keyOf(state);
  const table = tables.find((one) => addressOf(one) === key && !hidden.has(one.id));
  if (key === "source") mounted = showSource();
  else if (key === "runs" && byFile?.length) mounted = showSheet(runs());
  else mounted = table ? showSheet(table) : showBench();
  performance.measure("viewed", "view");
}

/** Draws what the state changed. */
function redraw(before) {
  markLinks();
  updateBar();
  if (keyOf(before) === keyOf(state)) return mounted.update(before);
  mount();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

const jump = make(
  "a",
  { class: "skip", href: "#main", onclick: (event) => (event.preventDefault(), main.focus()) },
  "Skip to the report",
);
document.body.prepend(
  jump,
  make("header", {}, make("p", { class: "title" }, title), sum, choosers, navigation, aboutMenu),
  ...(strip ? [strip.element] : []),
  main,
  tip,
);
addEventListener("hashchange", () => {
  const before = state;
  state = stateOf(location.hash);
  derive();
  for (const one of [menu, aboutMenu]) one.open = false;
  const field = main.querySelector("input.search");
  if (field && field !== document.activeElement) field.value = searched;
  redraw(before);
});
addEventListener("resize", () => {
  for (const view of views) view.update();
  strip?.update();
  mounted.resize?.();
});
addEventListener("click", (event) => {
  for (const one of [menu, aboutMenu]) if (!one.contains(event.target)) one.open = false;
});
addEventListener("keydown", (event) => {
  const open = [menu, aboutMenu].find((one) => one.open);
  if (event.key === "Escape" && open) {
    open.open = false;
    open.querySelector("summary").focus();
  }
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input,select,textarea")) return;
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
  mounted.print?.(isOn);
};
addEventListener("beforeprint", printing(true));
addEventListener("afterprint", printing(false));
derive();
mount();
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
