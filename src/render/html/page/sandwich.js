// A function between its callers and callees.

/** A function between its callers and callees. */
function showFunction(name, id) {
  const units = graphTable ? graph() : { units: [], ofName: new Map() };
  const unit =
    id !== undefined
      ? units.ofName.get(`@${id}`)
      : units.units.find((one) => graphTable.shown(graphTable.name, one.head) === name);
  const row = id !== undefined && flat ? flat.cells(flat.name).indexOf(`@${id}`) : -1;
  const ofFiles = rowsByFile().get(`@${id}`);
  if (!unit && row < 0 && !ofFiles)
    return show(
      "Not found",
      make("p", {}, `No function of this report is named `, make("code", {}, name), "."),
      make("p", {}, make("a", { href: "#" }, "Overview")),
    );
  const parts = [];
  if (id !== undefined && shortOf[id]) parts.push(make("p", {}, make("code", {}, name)));
  if (id !== undefined && origin(id)) parts.push(make("p", {}, origin(id), sourceLink(id)));
  const facts = (table, at) =>
    table.columns
      .filter(
        (column) =>
          column.print &&
          !["name", "bar", "index", "marks"].includes(column.role) &&
          table.cell(column, at) !== "" &&
          !table.isZero(column),
      )
      .flatMap((column) => {
        const raw = table.cell(column, at);
        return [
          make("dt", {}, column.head),
          make(
            "dd",
            { "data-value": raw, "data-column": column.id },
            callsOf(table, column, at) ?? table.shown(column, at),
          ),
        ];
      })
      .concat(table.limits(at) ? [make("dt", {}, "total may be"), make("dd", {}, table.limits(at))] : []);
  const middle = make(
    "section",
    { class: "own", "aria-label": "Function" },
    make("h2", { class: "unseen" }, "Function"),
  );
  if (row >= 0)
    middle.append(
      make(
        "div",
        {},
        make("h3", {}, flat.title),
        make("dl", { "data-section": "flat", "data-row": row }, facts(flat, row)),
      ),
    );
  if (unit)
    middle.append(
      make(
        "div",
        {},
        make("h3", {}, graphTable.title),
        make("dl", { "data-section": "graph", "data-row": unit.head }, facts(graphTable, unit.head)),
      ),
    );
  const side = (label, kinds, from, to) => {
    const rows = [];
    for (let at = from; at < to; at++) if (kinds.includes(graphTable.kind(at))) rows.push(at);
    const part = make("section", { "aria-label": label }, make("h2", {}, label));
    if (!rows.length) return (part.append(make("p", {}, "None recorded.")), part);
    const has = (column) =>
      !graphTable.isZero(column) && rows.some((at) => graphTable.cells(column)[at] !== "");
    const columns = graphTable.columns
      .filter((column) => column.print && !["index"].includes(column.role) && has(column))
      .map((column) => column.id);
    const limits = graphTable.columns
      .filter((column) => ["limit", "marks"].includes(column.role) && has(column))
      .map((column) => column.id);
    const view = new TableView(graphTable, {
      rows,
      label,
      isWhole: rows.length <= 60,
      columns: isNarrow() ? [...columns.slice(0, 2), "name"] : [...columns, ...limits],
    });
    part.append(start(view).scroll);
    return part;
  };
  if (unit) {
    parts.push(
      make(
        "div",
        { class: "sandwich" },
        side("Callers", ["caller"], unit.start, unit.head),
        middle,
        side("Callees", ["callee", "member"], unit.head + 1, unit.end),
      ),
    );
    if (graphTable.uncertainty.legend?.length)
      parts.push(make("ul", { class: "legend" }, list("li", graphTable.uncertainty.legend)));
  } else if (row >= 0) parts.push(middle);
  if (ofFiles)
    parts.push(
      make("h2", {}, "By file"),
      start(new TableView(byFile, { rows: ofFiles, label: "By file", isWhole: ofFiles.length <= 60 })).scroll,
    );
  const others =
    id === undefined
      ? []
      : functionsOf(Number(nameOf[id]))
          .filter((one) => one !== id)
          .slice(0, 20);
  if (others.length)
    parts.push(
      make(
        "p",
        {},
        "Same name: ",
        others.map((one) => [make("a", { href: linkTo(one) }, origin(one) || "another function"), " "]),
      ),
    );
  show(
    id === undefined ? name : shortName(id),
    make(
      "p",
      { class: "steps" },
      make("button", { type: "button", onclick: () => history.back() }, "Back"),
      " ",
      make("button", { type: "button", onclick: () => history.forward() }, "Forward"),
    ),
    parts,
    copyable(ofFiles ? command(...BY_FILE) : command(`-q${name}`)),
  );
}
