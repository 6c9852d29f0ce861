// The flame graph.

const ROW = 20;

function showFlame() {
  const table = tree;
  const depths = table.numbers(table.column("depth"));
  const shares = table.numbers(table.column("percent"));
  const n = table.length;
  const numbers = table.textNumbers(table.name);
  const [xs, ends, callers] = [new Float64Array(n), new Uint32Array(n), new Int32Array(n).fill(-1)];
  const free = [0];
  const path = [];
  for (let row = 0; row < n; row++) {
    const depth = depths[row];
    for (const done of path.splice(depth)) ends[done] = row;
    free.length = depth + 1;
    xs[row] = free[depth];
    free[depth] += shares[row];
    free.push(xs[row]);
    callers[row] = depth > 0 ? path[depth - 1] : -1;
    path.push(row);
  }
  for (const done of path) ends[done] = n;
  const childrenOf = (row) => {
    const found = [];
    for (let at = row + 1; at < (row < 0 ? n : ends[row]); at = ends[at]) found.push(at);
    return found;
  };

  // Colours are those of objects, or else of files, in order of appearance.
  const groups = new Map();
  const groupOf = (row) => {
    const id = table.nameId(table.name, row);
    const group = id < 0 ? "" : textAt(objectOf[id]) || textAt(fileOf[id]);
    if (!groups.has(group))
      groups.set(group, group === "" ? 8 : Math.min(groups.size - (groups.has("") ? 1 : 0), 7));
    return groups.get(group);
  };
  const colors = Uint8Array.from({ length: n }, (_, row) => groupOf(row));
  // One colour tells nothing: then functions have their own.
  const isOfOne = !isOfSides && groups.size - (groups.has("") ? 1 : 0) < 2;
  if (isOfSides) for (let row = 0; row < n; row++) colors[row] = 10 + changeOf(row)[0];
  if (isOfOne) for (let row = 0; row < n; row++) colors[row] = numbers[row] % 7;

  // Of an address that somebody may have written.
  const zoomOfAddress = () =>
    /^\d{1,9}$/.test(parameters.get("zoom")) && Number(parameters.get("zoom")) < n
      ? Number(parameters.get("zoom"))
      : -1;
  const functionOf = (row) => (row < 0 ? -1 : table.nameId(table.name, row));
  let zoomed = zoomOfAddress();
  // The frame of the keyboard: -1 is the one above all, -2 none.
  let current = -2;
  let found = [];
  let matches = null;
  const before = [];
  const words = (row) => {
    if (row < 0) return "all";
    if (isOfSides) {
      const [old, now] = ["total_old", "total_new"].map((id) => table.shown(table.column(id), row));
      return `${texts[numbers[row]]}: ${changeOf(row)[1]}, from ${old} to ${now} ${table.column("total_new").head.replace(/^new /, "")}`;
    }
    const cost = table.columns
      .filter(
        (column) =>
          column.print && ["total", "self", "calls"].includes(column.role) && table.cells(column)[row] !== "",
      )
      .map((column) => `${column.head} ${table.shown(column, row)}`);
    return `${texts[numbers[row]]}: ${table.shown(table.share, row)} %${cost.length ? `, ${cost.join(", ")}` : ""}${table.limits(row) && `, total may be ${table.limits(row)}`}`;
  };
  const output = make("p", { role: "status", class: "status" });
  let about = "";
  const say = (row) => (output.textContent = clean([about, words(row)].filter(Boolean).join(". ")));
  const box = make("div", {
    class: "flame",
    role: "group",
    "aria-label": "Flame graph: callers above callees, widths are shares of the total",
    tabindex: 0,
  });
  function frame(row, x, width, y, pixels) {
    const id = functionOf(row);
    const name = clean(row < 0 ? "all" : id < 0 ? texts[numbers[row]] : shortName(id));
    const change = isOfSides && row >= 0 ? ` ${changeOf(row)[1]}` : "";
    const letters = Math.floor((pixels - 6) / 7.3);
    const label = fitted(name, letters - change.length) + change;
    const isFound = row >= 0 && matches?.(numbers[row]);
    const element = make("div", {
      role: "button",
      tabindex: row === current ? 0 : -1,
      "data-row": row,
      class: `frame c${row < 0 ? 8 : colors[row]}${row >= 0 && table.isGuess(row) ? " guess" : ""}${isFound ? " found" : ""}${id >= 0 && id === selected ? " selected" : ""}${row === current ? " current" : ""}`,
      "aria-label": clean(words(row)),
      title: clean(words(row)),
      "data-label": label.length > letters ? "" : label,
    });
    Object.assign(element.style, { left: `${x}%`, width: `${width}%`, top: `${y * ROW}px` });
    return element;
  }

  function draw() {
    const hadFocus = box.contains(document.activeElement) && document.activeElement !== box;
    const all = box.clientWidth || 1000;
    const base =
      zoomed < 0 ? { x: 0, width: 100, y: 1 } : { x: xs[zoomed], width: shares[zoomed], y: depths[zoomed] + 1 };
    const scale = 100 / (base.width || 100);
    const frames = [];
    const above = [];
    for (let row = zoomed; row >= 0; row = callers[row]) above.push(row);
    frames.push(frame(-1, 0, 100, 0, all));
    for (const row of above) frames.push(frame(row, 0, 100, depths[row] + 1, all));
    let deepest = base.y;
    let n_small = 0;
    for (let row = zoomed < 0 ? 0 : zoomed + 1, end = zoomed < 0 ? n : ends[zoomed]; row < end;) {
      const width = shares[row] * scale;
      const pixels = (width * all) / 100;
      if (pixels < 1) {
        n_small += ends[row] - row;
        row = ends[row];
        continue;
      }
      deepest = Math.max(deepest, depths[row] + 1);
      frames.push(frame(row, (xs[row] - base.x) * scale, width, depths[row] + 1, pixels));
      row++;
    }
    box.style.height = `${(deepest + 1) * ROW}px`;
    box.replaceChildren(...frames);
    small.textContent =
      n_small || table.leftOut
        ? `${n_small + table.leftOut} frames are too small to be drawn; zoom in, or see the call tree.`
        : "";
    back.disabled = zoomed < 0 && !before.length;
    if (hadFocus) elementOf(current)?.focus();
  }
  const elementOf = (row) => box.querySelector(`[data-row="${row}"]`);
  const zoom = (row) => {
    const isNew = row !== zoomed;
    if (isNew) before.push(zoomed);
    zoomed = row;
    keep({ ...selection(functionOf(row)), zoom: row < 0 ? undefined : row }, isNew);
    search();
    say(row);
  };
  const goBack = () => {
    const isStep = before.length > 0;
    zoomed = before.pop() ?? -1;
    draw();
    say(zoomed);
    if (isStep) history.back();
    else keep({ zoom: undefined });
  };
  const choose = (row) => {
    if (row === undefined) return;
    if (!elementOf(row)) zoom(row < 0 ? -1 : callers[row]);
    current = row;
    draw();
    elementOf(row)?.focus();
    elementOf(row)?.scrollIntoView({ block: "nearest" });
    say(row);
  };
  const beside = (step) => {
    const row = childrenOf(callers[current]);
    return current < 0 ? undefined : row[row.indexOf(current) + step];
  };
  const nextFound = (step) => {
    if (!found.length) return;
    const at = found.indexOf(current);
    choose(found[at < 0 ? 0 : (at + step + found.length) % found.length]);
  };
  function search() {
    matches = matcher(searched);
    const isFound = matches
      ? (row) => matches(numbers[row])
      : selected === undefined
        ? null
        : (row) => functionOf(row) === selected;
    found = [];
    let share = 0;
    let outer = 0;
    for (let row = 0; isFound && row < n; row++) {
      if (!isFound(row)) continue;
      found.push(row);
      if (row < outer) continue;
      outer = ends[row];
      share += shares[row];
    }
    about = isFound
      ? `${matches ? "matched" : `${shortName(selected)} has`} ${share.toFixed(1)} % in ${plural(found.length, "frame", "frames")}`
      : "";
    output.textContent = clean(about);
    draw();
  }
  const keys = {
    ArrowUp: () => choose(current < 0 ? -1 : callers[current]),
    ArrowDown: () =>
      current < -1
        ? choose(-1)
        : choose(
            childrenOf(current).reduce(
              (best, row) => (best === undefined || shares[row] > shares[best] ? row : best),
              undefined,
            ),
          ),
    ArrowLeft: () => choose(beside(-1)),
    ArrowRight: () => choose(beside(1)),
    Home: () => choose(-1),
    Enter: () => zoom(Math.max(-1, current)),
    " ": () => zoom(Math.max(-1, current)),
    Backspace: goBack,
    Escape: goBack,
    n: () => nextFound(1),
    N: () => nextFound(-1),
    f: () => graphTable && functionOf(current) >= 0 && (location.hash = linkTo(functionOf(current))),
  };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  const rowOf = (event) => {
    const element = event.target.closest(".frame");
    return element ? Number(element.dataset.row) : undefined;
  };
  box.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (row === undefined) return;
    current = row;
    zoom(row);
    elementOf(row)?.focus({ preventScroll: true });
  });
  box.addEventListener("mouseover", (event) => {
    const row = rowOf(event);
    if (row !== undefined) say(row);
  });
  const back = make("button", { type: "button", onclick: goBack }, "Back");
  const small = make("p");
  const field = searchField(search);
  field.addEventListener("keydown", (event) => event.key === "Enter" && nextFound(1));
  const legend = isOfOne
    ? null
    : isOfSides
      ? make(
          "ul",
          { class: "groups" },
          CHANGES.map((words, step) =>
            make("li", {}, make("span", { class: `patch c${10 + step}`, "aria-hidden": "true" }), ` ${words}`),
          ).reverse(),
        )
      : make(
          "ul",
          { class: "groups" },
          [...groups]
            .filter(([, color]) => color < 7 || color === 8)
            .map(([group, color]) =>
              make(
                "li",
                {},
                make("span", { class: `patch c${color}`, "aria-hidden": "true" }),
                ` ${group || "unknown file"}`,
              ),
            ),
          groups.size > 8
            ? make("li", {}, make("span", { class: "patch c7", "aria-hidden": "true" }), " others")
            : null,
        );
  const aboutSides = isOfSides ? ["Widths show both sides together, and colours the change of totals."] : [];
  const aboutHatch = table.guess
    ? ["Hatched frames may be less than half as long: the costs of single calls are not known."]
    : [];
  const picture = make("div", { class: "wide" }, box);
  show(
    "Flame graph",
    make("div", { class: "tools" }, back, field, output),
    picture,
    small,
    legend,
    make(
      "p",
      {},
      make("a", { href: fragment(tree.id, selection(selected ?? -1)) }, "The same as a table"),
      ". Click or press Enter to zoom in and to select the function in every view; arrow keys move, Escape goes back, n and N go to the next and previous match, f shows callers and callees.",
    ),
    paragraphs([...aboutSides, ...table.summary, ...aboutHatch]),
    copyable(command(...optionsOf(tree.id))),
  );
  main.classList.add("full");
  // As high as the window, with room for the line below.
  const fill = () => (picture.style.maxHeight = `${Math.max(240, innerHeight - picture.offsetTop - 40)}px`);
  fill();
  search();
  onResize = () => (fill(), draw());
  onAddress = () => {
    zoomed = zoomOfAddress();
    if (before.at(-1) === zoomed) before.pop();
    field.value = searched;
    search();
  };
}
