// Rows of a table, made when they come into view.

const TOTAL = KINDS.indexOf("total");
// This kind and those behind it are no functions.
const REST = KINDS.indexOf("rest");
const SUMS = KINDS.map((kind) => kind === "total" || kind === "rest");
const isNarrow = () => matchMedia("(max-width: 40rem)").matches;
const views = new Set();
// Width of a letter of names in tables.
const LETTER = 7.9;
const WORSE = new Set(["slower", "more", "new", "grew", "larger"]);
const BETTER = new Set(["faster", "fewer", "less", "gone", "shrank", "smaller"]);

/** Rows of a table, made when they come into view. */
class TableView {
  constructor(
    table,
    { rows = null, canSort = true, columns = null, label = table.title, isWhole = false, part = null } = {},
  ) {
    Object.assign(this, { table, rows, canSort, label, isWhole, part });
    this.depth = table === tree ? table.column("depth") : null;
    this.closed = new Set();
    this.hidesMatches = false;
    this.sort = null;
    this.isAscending = false;
    this.current = 0;
    this.hasError = false;
    this.chosen = columns;
    this.body = make("tbody");
    this.headRow = make("tr");
    this.group = make("colgroup");
    const role = this.depth ? "treegrid" : "grid";
    this.grid = make(
      "table",
      { role, "aria-label": clean(label) },
      this.group,
      make("thead", {}, this.headRow),
      this.body,
    );
    this.scroll = make("div", { class: isWhole ? "rows whole" : "rows" }, this.grid);
    this.status = make("p", { role: "status", class: "status" });
    this.scroll.addEventListener("scroll", () => {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(() => this.draw());
    });
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("click", (event) => this.onClick(event));
    if (this.depth) this.closeSmall();
    views.add(this);
  }

  get columns() {
    const { table, hasError } = this;
    const isUsual = (column) => {
      if (column === table.guess) return !hasError || !table.column("marks");
      if (column.role === "limit" || column.role === "marks") return hasError || Boolean(column.print);
      return (
        (Boolean(column.print) && column.role !== "bar" && !table.isZero(column)) ||
        (table.id === "source" && column.id === "line")
      );
    };
    const chosen = this.chosen;
    let shown = chosen ? [...chosen].map((id) => table.column(id)).filter(Boolean) : table.columns.filter(isUsual);
    if (!chosen && isNarrow() && shown.length > 3 && table.id !== "runs") {
      const first = table.share || shown.find((one) => one.id === "change_percent") || shown[0];
      const kept = new Set([
        first,
        table.guess,
        shown.find(
          (one) =>
            one !== first &&
            (["self", "verdict", "total", "count"].includes(one.role) || (this.depth && one.role === "change")),
        ),
        table.name,
      ]);
      shown = shown.filter((column) => kept.has(column) || (hasError && column.role === "limit"));
    }
    return shown.length ? shown : table.columns.slice(0, 3);
  }

  /** The rows to show, in order. */
  arrange() {
    const { table } = this;
    const matches = matcher(this.hasSearch ? searched : "");
    const textColumns = matches
      ? table.columns.filter((column) => (column.print || column === table.name) && table.isText(column))
      : [];
    const numbers = textColumns.map((column) => table.textNumbers(column));
    const isMatch = (row) => {
      for (const column of numbers) if (matches(column[row])) return true;
      return false;
    };
    const isOfModule = (row) => state.module === undefined || moduleOf(this.functionOf(row)) === state.module;
    const isWanted = (row) => (!matches || isMatch(row)) && (!this.isList || isOfModule(row));
    if (this.depth) return this.arrangeTree(matches && isMatch);
    let groups = this.rows ? Uint32Array.from(this.rows) : table.heads.slice();
    const hasGroups = !this.rows && table.heads.length < table.length;
    if (matches || (this.isList && state.module !== undefined)) {
      let share = 0;
      const shares = table.share && table.numbers(table.share);
      let [n, n_kept] = [0, 0];
      for (const row of groups) {
        let found = isWanted(row);
        if (hasGroups && !found)
          for (let at = row + 1, to = table.end(row); at < to && !found; at++) found = isWanted(at);
        const isSum = SUMS[table.kindNumber(row)];
        if (found && !isSum) {
          n++;
          share += shares?.[row] || 0;
        }
        if (found !== this.hidesMatches || isSum) groups[n_kept++] = row;
      }
      groups = groups.subarray(0, n_kept);
      const of = shares ? `matched ${share.toFixed(1)} % in ` : "matched ";
      this.status.textContent = `${of}${plural(n, "row", "rows")}${this.hidesMatches ? ", hidden" : ""}`;
    } else {
      this.status.textContent = plural(groups.length, "row", "rows");
    }
    if (this.sort) groups = this.sorted(groups);
    if (!hasGroups) return groups;
    return Array.from(groups).flatMap((row) => Array.from({ length: table.end(row) - row }, (_, at) => row + at));
  }

  /** In the order of a column; equal rows keep theirs, and rows without a value come last. */
  sorted(groups) {
    const { table, sort, isAscending } = this;
    const { ranks, n_ranks } = table.ranks(sort);
    const placeOf = (row) => {
      const kind = table.kindNumber(row);
      // Sums stay where they are: the first row, or the last ones.
      if (kind === TOTAL) return row === 0 ? 0 : n_ranks + 2;
      if (kind >= REST || ranks[row] < 0) return n_ranks + 1;
      return isAscending ? ranks[row] + 1 : n_ranks - ranks[row];
    };
    const places = new Uint32Array(groups.length);
    const starts = new Uint32Array(n_ranks + 4);
    for (let at = 0; at < groups.length; at++) starts[(places[at] = placeOf(groups[at])) + 1]++;
    for (let at = 1; at < starts.length; at++) starts[at] += starts[at - 1];
    const order = new Uint32Array(groups.length);
    for (let at = 0; at < groups.length; at++) order[starts[places[at]]++] = groups[at];
    return order;
  }

  get depths() {
    return this.table.numbers(this.depth);
  }
  closeSmall() {
    const { table, depths } = this;
    const shares = table.share && table.numbers(table.share);
    if (!shares) return;
    for (let row = 0; row < table.length; row++)
      if (shares[row] < 5 && depths[row + 1] > depths[row]) this.closed.add(row);
  }
  arrangeTree(isMatch) {
    const { table, depths } = this;
    const shown = [];
    if (isMatch) {
      // Matches, and the frames that lead to them. The cost of a match below another counts once.
      const kept = new Uint8Array(table.length);
      const path = [];
      const shares = table.share && table.numbers(table.share);
      let share = 0;
      let n = 0;
      let outer = Infinity;
      for (let row = 0; row < table.length; row++) {
        const depth = depths[row];
        path.length = depth;
        path.push(row);
        if (depth <= outer) outer = Infinity;
        if (!isMatch(row)) continue;
        n++;
        for (let at = depth; at >= 0 && !kept[path[at]]; at--) kept[path[at]] = 1;
        if (outer === Infinity) {
          outer = depth;
          share += shares?.[row] || 0;
        }
      }
      for (let row = 0; row < table.length; row++) if (kept[row]) shown.push(row);
      this.status.textContent = `matched ${share.toFixed(1)} % in ${plural(n, "frame", "frames")}`;
      return shown;
    }
    let closed = Infinity;
    for (let row = 0; row < table.length; row++) {
      if (depths[row] > closed) continue;
      closed = this.closed.has(row) ? depths[row] : Infinity;
      shown.push(row);
    }
    this.status.textContent = `${shown.length} of ${plural(table.length, "frame", "frames")}`;
    return shown;
  }

  /** Makes everything again. */
  update() {
    const { table } = this;
    if (this.hasSearch && this.canSort) {
      this.sort = table.columns.find((column) => column.id === state.sort) ?? null;
      this.isAscending = state.up !== undefined;
    }
    const focused = this.headRow.contains(document.activeElement)
      ? document.activeElement.parentElement.dataset.column
      : null;
    this.shownColumns = this.columns;
    this.lines = this.arrange();
    this.current = Math.min(this.current, Math.max(0, this.lines.length - 1));
    this.group.replaceChildren();
    this.headRow.replaceChildren();
    const wide = this.shownColumns.includes(table.name) ? table.name : this.shownColumns.at(-1);
    let width = 0;
    for (const column of this.shownColumns) {
      const isText = table.isText(column);
      const letters = column === wide ? 0 : this.lettersOf(column);
      const col = make("col");
      if (column !== wide) col.style.width = `${letters + 2}ch`;
      width += column === wide ? 22 : letters + 2;
      this.group.append(col);
      const sort = this.sort === column ? (this.isAscending ? "ascending" : "descending") : "none";
      const head = make("th", {
        scope: "col",
        role: "columnheader",
        "data-column": column.id,
        class: isText ? "text" : "number",
        "aria-sort": this.canSort && !this.depth ? sort : null,
      });
      if (this.canSort && !this.depth)
        head.append(
          make("button", { type: "button", title: "Sort", onclick: () => this.sortBy(column) }, column.head),
        );
      else head.append(clean(column.head));
      this.headRow.append(head);
    }
    this.grid.style.minWidth = `${width}ch`;
    this.letters = Math.floor(
      ((this.headRow.children[this.shownColumns.indexOf(wide)]?.clientWidth || 600) - 20) / LETTER,
    );
    this.grid.setAttribute("aria-rowcount", this.lines.length + 1);
    this.draw();
    this.headRow.children[this.shownColumns.findIndex((column) => column.id === focused)]
      ?.querySelector("button")
      ?.focus();
  }

  /** Number of letters of the widest cell: of numbers exactly, of texts from a sample. */
  lettersOf(column) {
    const { table } = this;
    return table.once(`letters ${column.at}`, () => {
      let most = Math.max(...column.head.split(" ").map((word) => word.length)) + 1;
      for (let row = 0; row < Math.min(table.length, 300); row++)
        most = Math.max(most, (callsOf(table, column, row) ?? table.shown(column, row)).length);
      if (table.isText(column)) return Math.min(most, 32);
      const decimals = column.print || column.role === "limit" ? 1 + (column.print?.decimals ?? 2) : 10;
      for (const { cells } of table.blocks) {
        const text = cells[column.at];
        for (let at = 0, n = 0, isWhole = true, more = 0; at <= text.length; at++) {
          const code = text.charCodeAt(at);
          if (code === 44 || at === text.length) {
            if (n + more > most) most = n + more;
            n = 0;
            isWhole = true;
            more = 0;
          } else if (code === 46 || code === 101) {
            isWhole = false;
            more = decimals;
          } else if (isWhole) n++;
        }
      }
      return Math.min(most + (column.print?.signed || column.role === "change" ? 1 : 0), 44);
    });
  }

  sortBy(column) {
    performance.mark("sort");
    dispatch({ type: "sort", sort: column.id, isText: this.table.isText(column) });
    performance.measure("sorted", "sort");
  }

  /** Makes the rows in view. */
  draw() {
    const total = this.lines.length;
    const height = this.rowHeight || 24;
    const inView = Math.ceil((this.scroll.clientHeight || innerHeight) / height) + 1;
    // No browser has elements of any height.
    const most = Math.min(total, 400000);
    let first = this.isWhole || this.isPrinting ? 0 : Math.floor(this.scroll.scrollTop / height) - 8;
    first = Math.max(0, Math.min(first, most - inView));
    let last = Math.min(most, first + inView + 16);
    if (this.isWhole) last = total;
    if (this.isPrinting) last = Math.min(total, 100);
    const hadFocus = this.body.contains(document.activeElement);
    const space = (rows) => {
      const row = make("tr", { class: "space", "aria-hidden": "true" });
      row.style.height = `${rows * height}px`;
      return row;
    };
    const rows = [];
    if (first > 0) rows.push(space(first));
    for (let line = first; line < last; line++) rows.push(this.row(line));
    if (last < most && !this.isPrinting) rows.push(space(most - last));
    this.body.replaceChildren(...rows);
    const row = this.body.querySelector("tr:not(.space)");
    if (row && !this.rowHeight && row.offsetHeight && !this.isPrinting) {
      this.rowHeight = row.offsetHeight;
      if (this.rowHeight !== height) return this.draw();
    }
    if (hadFocus) this.focusRow();
  }

  row(line) {
    const { table } = this;
    const row = this.lines[line];
    const kind = table.kind(row);
    const attributes = {
      "aria-rowindex": line + 2,
      class: kind,
      tabindex: line === this.current ? 0 : -1,
      "data-line": line,
      "data-row": row,
    };
    let level = 0;
    if (this.depth) {
      level = this.depths[row];
      attributes["aria-level"] = level + 1;
      if (this.depths[row + 1] > level) attributes["aria-expanded"] = String(!this.closed.has(row));
    }
    const verdict = this.verdict && table.shown(this.verdict, row);
    if (selected !== undefined && this.functionOf(row) === selected)
      Object.assign(attributes, { class: `${attributes.class} selected`, "aria-selected": "true" });
    if (isOfSides && this.depth) attributes.class += [" better", " better", "", " worse", " worse"][changeOf(row)[0]];
    if (verdict) attributes.class += WORSE.has(verdict) ? " worse" : BETTER.has(verdict) ? " better" : "";
    const element = make("tr", attributes);
    for (const column of this.shownColumns) element.append(this.cell(column, row, level));
    return element;
  }

  functionOf(row) {
    return this.table.name ? this.table.nameId(this.table.name, row) : -1;
  }

  /** Selects the function of the current row in every view. */
  select() {
    const id = this.functionOf(this.lines[this.current]);
    if (!this.hasSearch || id < 0) return;
    dispatch({ type: this.isList ? "select" : "mark", ...choiceOf(id) }, true);
    this.focusRow();
  }

  /** Scrolls to the selected function, in a tree to its frame with the largest share. */
  showSelected() {
    if (selected === undefined || !this.table.name) return;
    const cells = this.table.cells(this.table.name);
    const isSelected = (row) => cells[row] === `@${selected}`;
    if (!this.depth) return this.showLine(this.lines.findIndex(isSelected));
    const shares = this.table.share && this.table.numbers(this.table.share);
    const rows = Array.from(cells.keys()).filter(isSelected);
    const best = rows.reduce(
      (most, row) => (most === undefined || shares?.[row] > shares?.[most] ? row : most),
      undefined,
    );
    for (let row = best, depth = Infinity; row >= 0; row--) {
      if (this.depths[row] >= depth) continue;
      depth = this.depths[row];
      if (row !== best) this.closed.delete(row);
    }
    this.update();
    this.showLine(this.lines.indexOf(best));
  }
  showLine(line) {
    if (line < 0) return;
    this.current = line;
    this.scroll.scrollTop = Math.max(0, line - 3) * (this.rowHeight || 24);
    this.draw();
  }

  get verdict() {
    return this.table.columns.find((column) => column.role === "verdict");
  }

  cell(column, row, level) {
    const { table } = this;
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
      if (column.role === "run") this.heatOfRun(cell, row, Number(raw));
      const isShare = column.role === "share" && (column === table.share || this.isList);
      const part = column === this.shownColumns[0] ? this.part?.(row) : undefined;
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
      this.heat(cell, row);
      return cell;
    }
    const id = column.role === "name" ? table.nameId(column, row) : -1;
    const kind = table.kind(row);
    if (column === table.name) {
      const indent = level || { frame: 1, inline: 2, member: 1 }[kind] || 0;
      if (indent) cell.style.paddingInlineStart = `${Math.min(indent, 40) * 0.8 + 0.4}rem`;
      if (this.depth)
        cell.append(
          make(
            "span",
            { class: "twist", "aria-hidden": "true" },
            this.depths[row + 1] > level ? (this.closed.has(row) ? "▸" : "▾") : "",
          ),
        );
    }
    cell.title = clean(id >= 0 ? `${text}\n${origin(id)}`.trim().split("\n").join(" — ") : text);
    const beside =
      kind === "inline" && column === table.name
        ? this.callSite(row)
        : hasObjects && id >= 0 && objectOf[id]
          ? ` ${baseName(textAt(objectOf[id]))}`
          : "";
    const letters = this.letters - (this.depth ? level + 4 : 0);
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
  callSite(row) {
    const [file, line] = ["call_file", "call_line"]
      .map((id) => this.table.column(id))
      .map((column) => column && this.table.shown(column, row));
    return file ? ` inlined at ${baseName(file)}:${line}` : " inlined";
  }

  /** Colours a source line by its share of the hottest one. */
  heat(cell, row) {
    const column = this.table.share || this.table.columns.find((one) => one.role === "self");
    if (!column) return;
    const value = this.table.numbers(column)[row];
    const most = this.table.once("most", () => this.table.numbers(column).reduce((a, b) => (b > a ? b : a), 0));
    if (value > 0 && most > 0) cell.classList.add(`heat${Math.min(4, Math.ceil((value / most) * 4))}`);
  }

  /** Colours a cost that is above the mean of its row. */
  heatOfRun(cell, row, value) {
    const files = this.table.columns.filter((column) => column.role === "run");
    const mean = files.reduce((sum, column) => sum + (this.table.numbers(column)[row] || 0), 0) / files.length;
    const step = [1.1, 1.25, 1.5].filter((least) => value > least * mean).length;
    if (mean > 0 && step) cell.classList.add(`heat${step + 1}`);
  }

  focusRow() {
    for (const row of this.body.children) {
      const isCurrent = Number(row.dataset.line) === this.current;
      if (row.dataset.line !== undefined) row.tabIndex = isCurrent ? 0 : -1;
      if (isCurrent) row.focus({ preventScroll: true });
    }
  }
  moveTo(line) {
    this.current = Math.max(0, Math.min(this.lines.length - 1, line));
    const height = this.rowHeight || 24;
    const top = this.current * height;
    const room = this.scroll.clientHeight - 3 * height;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top > this.scroll.scrollTop + room) this.scroll.scrollTop = top - room;
    this.draw();
    this.focusRow();
  }
  toggle(row) {
    if (!this.closed.delete(row)) this.closed.add(row);
    this.update();
  }
  onClick(event) {
    const row = event.target.closest("tr");
    if (!row || row.dataset.line === undefined) return;
    this.current = Number(row.dataset.line);
    if (event.target.closest("a")) return;
    if (row.hasAttribute("aria-expanded")) this.toggle(this.lines[this.current]);
    this.select();
    this.focusRow();
  }
  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !event.target.closest("tbody")) return;
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / (this.rowHeight || 24)) - 3);
    const row = this.lines[this.current];
    const isParent = this.depth && this.depths[row + 1] > this.depths[row];
    const actions = {
      ArrowDown: () => this.moveTo(this.current + 1),
      ArrowUp: () => this.moveTo(this.current - 1),
      PageDown: () => this.moveTo(this.current + page),
      PageUp: () => this.moveTo(this.current - page),
      Home: () => this.moveTo(0),
      End: () => this.moveTo(this.lines.length - 1),
      " ": () => this.select(),
      Enter: () => this.body.querySelector(`tr[data-line="${this.current}"] a`)?.click(),
      ArrowRight: () =>
        isParent && this.closed.has(row) ? (this.toggle(row), this.focusRow()) : this.moveTo(this.current + 1),
      ArrowLeft: () => {
        if (!this.depth) return;
        if (isParent && !this.closed.has(row)) this.toggle(row);
        else
          this.moveTo(
            this.lines.findLastIndex((one, at) => at < this.current && this.depths[one] < this.depths[row]),
          );
        this.focusRow();
      },
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  /** Begins at the top again. */
  restart() {
    this.scroll.scrollTop = 0;
    this.current = 0;
    this.update();
  }

  /** The table with its search, and the functions of the whole bench in it. */
  asList() {
    Object.assign(this, { hasSearch: true, isList: true });
    return [make("div", { class: "tools" }, searchField(), this.status), this.scroll];
  }

  /** The table with its search, columns and status. */
  withTools() {
    this.hasSearch = true;
    const { table } = this;
    const again = () => {
      this.restart();
      this.onChange?.();
    };
    const tools = make("div", { class: "tools" }, searchField());
    const check = (label, set) =>
      make(
        "label",
        {},
        make("input", { type: "checkbox", onchange: (event) => (set(event.target.checked), again()) }),
        ` ${label}`,
      );
    if (!this.depth) tools.append(check("Hide matches", (on) => (this.hidesMatches = on)));
    const limits = table.columns.filter((column) => ["limit", "marks"].includes(column.role));
    const mayErr =
      limits.some((column) => column !== table.guess) &&
      !limits.some((column) => column.print && column !== table.guess);
    const legend = make("ul", { class: "legend", hidden: true }, list("li", table.uncertainty.legend || []));
    if (mayErr)
      tools.append(check("Uncertainty", (on) => ((this.hasError = on), (this.chosen = null), (legend.hidden = !on))));
    const boxes = make("div", { class: "columns" });
    const columns = make("details", { class: "chooser" }, make("summary", {}, "Columns"), boxes);
    columns.addEventListener("toggle", () => {
      const shown = new Set(this.columns);
      boxes.replaceChildren(
        ...table.columns
          .filter((one) => one.role !== "bar")
          .map((column) => {
            const box = make("input", { type: "checkbox", checked: shown.has(column) });
            box.addEventListener("change", () => {
              const now = new Set(this.columns);
              const isShown = (one) => (one === column ? box.checked : now.has(one));
              this.chosen = table.columns.filter(isShown).map((one) => one.id);
              this.update();
            });
            return make("label", {}, box, ` ${column.head}${column.print ? "" : ` (${column.id})`}`);
          }),
      );
    });
    tools.append(columns, this.status);
    return make("div", { class: "view" }, tools, legend, this.scroll);
  }
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
