// Rows and cells of a table as elements.

const WORSE = new Set(["slower", "more", "new", "grew", "larger"]);
const BETTER = new Set(["faster", "fewer", "less", "gone", "shrank", "smaller"]);

function rowElement(view, line) {
  const { table } = view;
  const row = view.lines[line];
  const kind = table.kind(row);
  const attributes = {
    "aria-rowindex": line + 2,
    class: kind,
    tabindex: line === view.current ? 0 : -1,
    "data-line": line,
    "data-row": row,
  };
  let level = 0;
  if (view.depth) {
    level = view.depths[row];
    attributes["aria-level"] = level + 1;
    if (view.depths[row + 1] > level) attributes["aria-expanded"] = String(!view.closed.has(row));
  }
  const ofVerdict = table.columns.find((column) => column.role === "verdict");
  const verdict = ofVerdict && table.shown(ofVerdict, row);
  if (selected !== undefined && view.functionOf(row) === selected)
    Object.assign(attributes, { class: `${attributes.class} selected`, "aria-selected": "true" });
  if (isOfSides && view.depth) attributes.class += [" better", " better", "", " worse", " worse"][changeOf(row)[0]];
  if (verdict) attributes.class += WORSE.has(verdict) ? " worse" : BETTER.has(verdict) ? " better" : "";
  const element = make("tr", attributes);
  for (const column of view.shownColumns) element.append(cellElement(view, column, row, level));
  return element;
}

function cellElement(view, column, row, level) {
  const { table } = view;
  const text = table.shown(column, row);
  const raw = table.cell(column, row);
  const isText = raw[0] === "@" || raw[0] === "$";
  const cell = make("td", {
    role: "gridcell",
    class: `${isText || table.isText(column) ? "text" : "number"} ${column.role}`,
  });
  if (raw === "") return cell;
  if (!isText) {
    cell.dataset.value = raw;
    if (raw !== text) cell.title = raw;
    if (column.role === "run") heatOfRun(view, cell, row, Number(raw));
    const isShare = column.role === "share" && (column === table.share || view.isList);
    const part = column === view.shownColumns[0] ? view.part?.(row) : undefined;
    const percent = part ?? (isShare ? Number(raw) : undefined);
    if (percent !== undefined) {
      const bar = make("span", { class: "bar", "aria-hidden": "true" });
      bar.style.width = `${Math.max(0, Math.min(100, percent))}%`;
      cell.append(bar);
    }
    cell.append(make("span", {}, callsOf(table, column, row) ?? text));
    return cell;
  }
  if (column.role === "source" && column.id === "text") {
    cell.classList.add("line");
    // Tabs are blanks in sources.
    cell.append(
      ...text
        .split("\t")
        .flatMap((part, at) => (at ? [document.createTextNode("\t"), clean(part)] : [clean(part)])),
    );
    heat(view, cell, row);
    return cell;
  }
  const id = column.role === "name" ? table.nameId(column, row) : -1;
  const kind = table.kind(row);
  if (column === table.name) {
    const indent = level || { frame: 1, inline: 2, member: 1 }[kind] || 0;
    if (indent) cell.style.paddingInlineStart = `${Math.min(indent, 40) * 0.8 + 0.4}rem`;
    if (view.depth)
      cell.append(
        make(
          "span",
          { class: "twist", "aria-hidden": "true" },
          view.depths[row + 1] > level ? (view.closed.has(row) ? "▸" : "▾") : "",
        ),
      );
  }
  cell.title = clean(id >= 0 ? `${text}\n${origin(id)}`.trim().split("\n").join(" — ") : text);
  const bound = column === table.name && table.column("is_lower_bound");
  const atLeast = bound && table.cell(bound, row) !== "" ? " at least" : "";
  const object = hasObjects && id >= 0 && objectOf[id] ? ` ${baseName(textAt(objectOf[id]))}` : "";
  const beside = (kind === "inline" && column === table.name ? callSite(view, row) : object) + atLeast;
  const letters = view.letters - (view.depth ? level + 4 : 0);
  const parts = id >= 0 ? fitted(clean(shortName(id)), Math.max(letters, 12)) : clean(text).slice(0, 400);
  const box =
    id >= 0 && isFunction(id)
      ? make("a", { href: linkTo(id), tabindex: -1, class: "parts" }, parts)
      : make("span", { class: "parts" }, parts);
  cell.append(box);
  if (beside) cell.append(make("small", {}, beside));
  return cell;
}

/** Where inlined code was called. */
function callSite(view, row) {
  const [file, line] = ["call_file", "call_line"]
    .map((id) => view.table.column(id))
    .map((column) => column && view.table.shown(column, row));
  return file ? ` inlined at ${baseName(file)}:${line}` : " inlined";
}

/** Colours a source line by its share of the hottest one. */
function heat(view, cell, row) {
  const column = view.table.share || view.table.columns.find((one) => one.role === "self");
  if (!column) return;
  const value = view.table.numbers(column)[row];
  const most = view.table.once("most", () => view.table.numbers(column).reduce((a, b) => (b > a ? b : a), 0));
  if (value > 0 && most > 0) cell.classList.add(`heat${Math.min(4, Math.ceil((value / most) * 4))}`);
}

/** Colours a cost that is above the mean of its row. */
function heatOfRun(view, cell, row, value) {
  const files = view.table.columns.filter((column) => column.role === "run");
  const mean = files.reduce((sum, column) => sum + (view.table.numbers(column)[row] || 0), 0) / files.length;
  const step = [1.1, 1.25, 1.5].filter((least) => value > least * mean).length;
  if (mean > 0 && step) cell.classList.add(`heat${step + 1}`);
}

/** The number of calls in a row of the call graph, as `1/3` or `3+1`. */
function callsOf(table, column, row) {
  if (table.id !== "graph" || column.id !== "calls") return null;
  const [calls, again, all] = ["calls", "self_calls", "of_calls"].map(
    (id) => table.column(id) && table.shown(table.column(id), row),
  );
  if (all) return `${calls}/${all}`;
  return again && again !== "0" ? `${calls}+${again}` : calls;
}
