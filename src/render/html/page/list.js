// Rows of a table, made when they come into view.

const views = new Set();
// Width of a letter of names in tables.
const LETTER = 7.9;

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
    this.shownColumns = usualColumns(this);
    this.lines = arranged(this);
    this.current = Math.min(this.current, Math.max(0, this.lines.length - 1));
    this.group.replaceChildren();
    this.headRow.replaceChildren();
    const wide = this.shownColumns.includes(table.name) ? table.name : this.shownColumns.at(-1);
    let width = 0;
    for (const column of this.shownColumns) {
      const isText = table.isText(column);
      const letters = column === wide ? 0 : lettersOf(table, column);
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
    for (let line = first; line < last; line++) rows.push(rowElement(this, line));
    if (last < most && !this.isPrinting) rows.push(space(most - last));
    this.body.replaceChildren(...rows);
    const row = this.body.querySelector("tr:not(.space)");
    if (row && !this.rowHeight && row.offsetHeight && !this.isPrinting) {
      this.rowHeight = row.offsetHeight;
      if (this.rowHeight !== height) return this.draw();
    }
    if (hadFocus) this.focusRow();
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
      const shown = new Set(usualColumns(this));
      boxes.replaceChildren(
        ...table.columns
          .filter((one) => one.role !== "bar")
          .map((column) => {
            const box = make("input", { type: "checkbox", checked: shown.has(column) });
            box.addEventListener("change", () => {
              const now = new Set(usualColumns(this));
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
