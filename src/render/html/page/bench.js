// The bench: functions at the left, and at the right what is selected, a function or the whole program.

// Columns of the list of functions, beside names.
const LISTED = {
  flat: ["percent", "total_percent", "guess", "calls"],
  chosen: ["percent", "self", "total_percent", "total"],
  difference: ["new", "change_percent", "verdict"],
  spread: ["percent", "excess_seconds"],
};

/** The table of all functions, and its rows and columns in the list. */
function functionTable() {
  const table = chosenTable() ?? ofFunctions[0];
  if (table) {
    const found = LISTED[table.id].map((id) => table.column(id)).filter((column) => column && !table.isZero(column));
    const ids = found.slice(0, isNarrow() ? 2 : 4).map((column) => column.id);
    return { table, columns: [...ids, table.name.id] };
  }
  if (!graphTable?.length) return null;
  const every = Array.from({ length: graphTable.length }, (_, row) => row);
  return { table: graphTable, rows: every.filter((row) => graphTable.kind(row) === "entry"), columns: null };
}

/** A part of the bench that folds. */
const pane = (title, name, ...parts) =>
  make("details", { class: `pane ${name}`, open: true }, make("summary", {}, make("h2", {}, title)), ...parts);

const OF_WHOLE =
  "Callers, callees, calls, limits and marks are those of the whole run; the chosen costs are among the facts.";

/** The panes of a function, or undefined if the report has none. */
function functionPanes(id, listed) {
  const unit = graphTable ? graph().ofName.get(`@${id}`) : undefined;
  const rows = (listed?.id === "chosen" ? [listed, ...ofFunctions] : ofFunctions)
    .map((table) => [table, table.cells(table.name).indexOf(`@${id}`)])
    .filter(([, row]) => row >= 0);
  const ofFiles = rowsByFile().get(`@${id}`);
  if (!unit && !rows.length && !ofFiles) return undefined;
  const source = sourcePane(id);
  const stacks = stacksPane(id);
  const files =
    ofFiles &&
    new TableView(byFile, { rows: ofFiles, label: "By file", isWhole: ofFiles.length <= 60, canSort: false });
  const parts = [
    unit ? sandwichPane(unit) : null,
    listed?.id === "chosen" ? make("p", { class: "small" }, OF_WHOLE) : null,
    stacks?.part,
    files ? pane("By file", "files", historyOf(`@${id}`), files.scroll) : null,
    source?.part,
    factsPane(id, rows),
    copyable(ofFiles ? command(...BY_FILE) : command(`-q${nameText(id)}`)),
  ];
  const start = () => {
    for (const one of [stacks, source]) one?.start();
    files?.update();
  };
  return { parts, start, resize: stacks?.resize };
}

/** The panes of the whole program. */
function wholePanes() {
  const pictures = tables.filter((table) => table.length && charts[table.id]);
  const parts = pictures.slice(0, 1).map((table) => charts[table.id](table));
  if (tree?.length) {
    const flame = new FlameGraph();
    return { parts: [...parts, flame.element], start: () => flame.start(), flame };
  }
  if (byFile?.length) {
    const view = new TableView(runs(), { canSort: false });
    return {
      parts: [
        ...parts,
        make("h2", {}, runs().title),
        view.scroll,
        paragraphs(runs().summary),
        copyable(command(...BY_FILE)),
      ],
      start: () => view.update(),
    };
  }
  const first = flat ?? tableOf("difference") ?? tables[0];
  return {
    parts: [...parts, paragraphs([...(first?.summary ?? []), ...(first?.notes ?? [])]), copyable(command())],
    start: () => {},
  };
}

function showBench() {
  const found = functionTable();
  const listed =
    found && new TableView(found.table, { rows: found.rows, columns: found.columns, label: "Functions" });
  const functions = listed
    ? make("section", { class: "functions", "aria-label": "Functions" }, listed.asList())
    : null;
  const panes = make("div", { class: "panes" });
  let current = null;
  const fill = () => {
    const id = selected;
    const isFlame = state.view === "flame" && tree?.length;
    const made =
      state.f === undefined || isFlame ? null : id === undefined ? undefined : functionPanes(id, found?.table);
    for (const view of views) if (view !== listed) views.delete(view);
    const back = make("a", { href: linkTo(undefined) }, "Whole program");
    const flame =
      tree?.length && id !== undefined
        ? make("a", { href: linkToView("flame", choiceOf(id)) }, "In the flame graph")
        : null;
    current = made ?? wholePanes();
    if (made)
      panes.replaceChildren(
        make("h1", { tabindex: -1 }, shortName(id)),
        make("p", { class: "steps" }, back, " ", flame, " ", origin(id)),
        ...made.parts.filter(Boolean),
      );
    else if (made === null)
      panes.replaceChildren(make("h1", { class: "unseen" }, title), ...current.parts.flat(Infinity).filter(Boolean));
    else
      panes.replaceChildren(
        make("h1", {}, "Not found"),
        make("p", {}, "No function of this report is named ", make("code", {}, state.f), "."),
        make("p", {}, back),
      );
    panes.classList.toggle("whole", !made);
    if (made !== undefined) current.start();
    else current = null;
  };
  main.replaceChildren(
    ...[warnings(), make("div", { class: functions ? "bench" : "bench alone" }, functions, panes)].filter(Boolean),
  );
  document.body.className = "full";
  if (listed) start(listed).showSelected();
  fill();
  return {
    update(before) {
      const isSame = (...keys) => keys.every((key) => before[key] === state[key]);
      if (before.value !== state.value || before.label !== state.label || before.seconds !== state.seconds)
        return mount();
      if (before.q !== state.q || before.module !== state.module) listed?.restart();
      else listed?.update();
      if (isSame("view", "f", "in", "k", "module", "way")) return current?.flame?.update(before);
      fill();
      if (isNarrow() && state.f !== undefined) panes.scrollIntoView();
      panes.scrollTop = 0;
    },
    resize: () => (current?.flame?.resize(), current?.resize?.()),
    print: (isOn) => current?.flame?.print(isOn),
  };
}
