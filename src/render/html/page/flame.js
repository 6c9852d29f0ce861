// The flame graph.

const ROW = 20;
// Pixels of a letter in a frame.
const FRAME_LETTER = 7.3;
// Rows that are drawn above and below those in view.
const MORE_ROWS = 30;
// Pixels below which a move of the pointer is a click.
const STILL = 4;

const BY_FUNCTION =
  "Each function has one frame at the top, with its total over all callers, and below it what it calls. Calls of " +
  "a function within itself count once. Together they are wider than the whole, since the total of a function is " +
  "a part of its callers' totals.";

class FlameGraph {
  constructor(frames = chosenFrames()) {
    this.frames = frames;
    // The frame of the keyboard: -1 is the one above all, -2 none.
    this.current = -2;
    this.found = [];
    this.status = make("p", { role: "status", class: "status" });
    this.small = make("p", { class: "small" });
    this.out = make("button", { type: "button", onclick: () => this.zoom(-1) }, "Zoom out");
    const order = { up: "callees above their callers", functions: "functions above their callees" };
    this.box = make("div", {
      class: "flame",
      role: "group",
      "aria-label": `Flame graph: ${order[state.way] ?? "callers above callees"}, widths are shares of the total`,
      tabindex: 0,
    });
    this.picture = make("div", { class: "picture" }, this.box);
    this.listen();
    const help =
      "Click or space zooms, double click or Enter selects a function, Escape zooms out. The wheel zooms, and " +
      "dragging moves the picture. Arrow keys move from frame to frame, n and N from match to match.";
    const isGuessed = Boolean(tree.guess);
    const about = [
      ...(isOfSides ? ["Widths show both sides together, and colours the change of totals."] : []),
      ...(isGuessed
        ? ["Hatched frames may be less than half as long: the costs of single calls are not known."]
        : []),
      ...(frames.isAboveWhole ? [BY_FUNCTION] : []),
      ...tree.summary,
      help,
    ];
    this.element = [
      make("div", { class: "tools" }, wayChooser(), this.out, this.status),
      this.picture,
      this.small,
      this.legend(),
      make("details", { class: "help" }, make("summary", {}, "About this picture"), paragraphs(about)),
      frames.isAboveWhole
        ? null
        : copyable(command(state.way === "up" ? "--tree=callers" : "--tree", ...optionsOfChoice())),
    ];
  }

  legend() {
    const item = (attributes, words) => {
      const patch = make("span", { "aria-hidden": "true", class: `patch ${attributes.class}` });
      if (attributes.hue !== undefined) patch.style.setProperty("--hue", attributes.hue);
      return make("li", {}, patch, ` ${words}`);
    };
    if (isOfSides)
      return make(
        "ul",
        { class: "groups" },
        CHANGES.map((words, step) => item({ class: `c${10 + step}` }, words)).reverse(),
      );
    const [shown, shades] = [new Set(), new Map()];
    this.frames.ids.forEach((id, row) => {
      shown.add(moduleOf(id));
      const shade = this.shadeOf(row);
      if (shade && !shades.has(shade)) shades.set(shade, hueNumbers[id]);
    });
    shown.delete("");
    const modules = shown.size < 2 ? [] : [...shown];
    const items = [
      ...modules.slice(0, 12).map((one) => item({ class: "hue", hue: hues.get(one) }, baseName(one))),
      modules.length > 12 ? make("li", {}, `and ${modules.length - 12} more`) : null,
      ...[...shades].map(([shade, hue]) => item({ class: `hue ${SHADES[shade][0]}`, hue }, SHADES[shade][1])),
    ];
    return items.some(Boolean) ? make("ul", { class: "groups" }, items) : null;
  }

  /** Of an address that somebody may have written: a frame, or a range in percent. */
  get range() {
    const { frames } = this;
    const zoom = state.zoom ?? "";
    const range = /^(\d{1,3}(?:\.\d{1,6})?)-(\d{1,3}(?:\.\d{1,6})?)$/.exec(zoom);
    if (range && Number(range[1]) < Number(range[2]) && Number(range[2]) <= 100) {
      return { x: Number(range[1]), width: Number(range[2]) - Number(range[1]), row: -1 };
    }
    const row = /^\d{1,9}$/.test(zoom) && Number(zoom) < frames.n ? Number(zoom) : -1;
    return row < 0 ? { x: 0, width: 100, row } : { x: frames.xs[row], width: frames.shares[row] || 100, row };
  }

  functionOf(row) {
    return row < 0 ? -1 : this.frames.ids[row];
  }
  nameOf(row) {
    return row < 0 ? "all" : texts[this.frames.numbers[row]];
  }

  /** All that is known of a frame, in lines. */
  lines(row) {
    const { frames } = this;
    if (row < 0) return ["all"];
    const name = this.nameOf(row);
    const id = this.functionOf(row);
    const place =
      id < 0 ? [] : [textAt(objectOf[id]), textAt(fileOf[id]) && origin(id).split(" ").at(-1)].filter(Boolean);
    const caller = frames.callers[row];
    const ofCaller =
      caller < 0 || !frames.shares[caller]
        ? []
        : [`${((frames.shares[row] / frames.shares[caller]) * 100).toFixed(1)} % of its caller`];
    const shade = SHADES[this.shadeOf(row)][2];
    return [name, ...this.numbers(row), ...ofCaller, ...place, ...(shade ? [shade] : [])];
  }

  /** The numbers of a frame in words. */
  numbers(row) {
    const { frames } = this;
    if (isOfSides) {
      const [old, now] = ["total_old", "total_new"].map((id) => tree.shown(tree.column(id), row));
      const unit = tree.column("total_new").head.replace(/^new /, "");
      return [changeOf(row)[1], `from ${old} to ${now} ${unit}`];
    }
    if (!frames.rows) {
      const [total, own] = [frames.totals, frames.selfs].map((costs) => inUnit(costs[row], frames.unit));
      const costs = state.way === "up" ? [`self cost that it leads to ${total}`] : [`total ${total}`, `self ${own}`];
      return [`${frames.percents[row].toFixed(1)} %`, ...costs];
    }
    const isCost = (column) => column.print && ["total", "self", "calls"].includes(column.role);
    const costs = tree.columns.filter((column) => isCost(column) && tree.cell(column, row) !== "");
    const limits = tree.limits(row);
    return [
      `${tree.shown(tree.share, row)} %`,
      ...costs.map((column) => `${column.head} ${tree.shown(column, row)}`),
      ...(limits ? [`total may be ${limits}`] : []),
    ];
  }

  words(row) {
    const [name, ...numbers] = this.lines(row);
    return clean(row < 0 ? "all" : `${name}: ${numbers.slice(0, this.numbers(row).length).join(", ")}`);
  }

  shadeOf(row) {
    return shadeOf(this.functionOf(row), this.frames.rows ? row : -1);
  }
  colorOf(row) {
    if (row < 0) return { class: "c8" };
    if (isOfSides) return { class: `c${10 + changeOf(row)[0]}` };
    const id = this.functionOf(row);
    if (state.module !== undefined && moduleOf(id) !== state.module) return { class: "dim" };
    const hue = hueNumbers[id];
    return hue ? { class: `hue ${SHADES[this.shadeOf(row)][0] ?? ""}`, hue } : { class: "c8" };
  }

  frame(row, left, width, pixels) {
    const id = this.functionOf(row);
    const name = clean(id < 0 ? this.nameOf(row) : shortName(id));
    const change = isOfSides && row >= 0 ? ` ${changeOf(row)[1]}` : "";
    const letters = Math.floor((pixels - 6) / FRAME_LETTER);
    const label = fitted(name, letters - change.length) + change;
    const color = this.colorOf(row);
    const marks = [
      ["guess", row >= 0 && this.frames.rows && tree.isGuess(row)],
      ["found", row >= 0 && this.matches?.(this.frames.numbers[row])],
      ["selected", id >= 0 && id === selected],
      ["current", row === this.current],
    ].filter(([, isSo]) => isSo);
    const element = make("div", {
      role: "button",
      tabindex: row === this.current ? 0 : -1,
      "data-row": row,
      class: ["frame", color.class, ...marks.map(([mark]) => mark)].join(" "),
      "aria-label": this.words(row),
      "data-label": label.length > letters ? "" : label,
    });
    const depth = row < 0 ? 0 : this.frames.depths[row] + 1;
    Object.assign(element.style, { left: `${left}%`, width: `${width}%`, top: `${depth * ROW}px` });
    if (color.hue !== undefined) element.style.setProperty("--hue", color.hue);
    return element;
  }

  draw() {
    const { frames, box } = this;
    const hadFocus = box.contains(document.activeElement) && document.activeElement !== box;
    const all = box.clientWidth || 1000;
    const { x, width } = this.range;
    const scale = 100 / width;
    const drawn = [this.frame(-1, 0, 100, all)];
    const [above, below] = this.depthsInView();
    let [deepest, n_small] = [0, 0];
    for (let row = 0; row < frames.n;) {
      const left = Math.max(0, (frames.xs[row] - x) * scale);
      const right = Math.min(100, (frames.xs[row] + frames.shares[row] - x) * scale);
      const pixels = ((right - left) * all) / 100;
      if (pixels < 1) {
        if (right > 0 && left < 100) n_small += frames.ends[row] - row;
        row = frames.ends[row];
        continue;
      }
      const depth = frames.depths[row] + 1;
      deepest = Math.max(deepest, depth);
      if (depth >= above && depth <= below) drawn.push(this.frame(row, left, right - left, pixels));
      row++;
    }
    box.style.height = `${(deepest + 1) * ROW}px`;
    box.replaceChildren(...drawn);
    const small = n_small
      ? [`${plural(n_small, "frame is", "frames are")} too small to be drawn; zoom in, or see the call tree.`]
      : [];
    this.small.textContent = [...small, ...(frames.rows ? aboutFolded(tree) : [])].join(" ");
    this.out.disabled = width === 100;
    if (hadFocus) (this.elementOf(this.current) ?? box).focus({ preventScroll: true });
  }

  /** The first and the last depth that are drawn: a tree may have thousands. */
  depthsInView() {
    const { scrollTop, clientHeight } = this.picture;
    const rows = [scrollTop, scrollTop + (clientHeight || innerHeight)].map((pixels) => Math.round(pixels / ROW));
    return this.isWhole ? [0, Infinity] : [rows[0] - MORE_ROWS, rows[1] + MORE_ROWS];
  }

  elementOf(row) {
    return this.box.querySelector(`[data-row="${row}"]`);
  }

  /** Zooms to a frame; the browser's back button undoes it. */
  zoom(row) {
    const zoom = row < 0 ? undefined : String(row);
    if (zoom !== state.zoom) dispatch({ type: "zoom", zoom }, true);
  }

  /** Shows a part of the width, in percent. */
  show(x, width) {
    const wide = Math.min(100, Math.max(0.01, width));
    const left = Math.min(100 - wide, Math.max(0, x));
    const round = (number) => String(Math.round(number * 1e4) / 1e4);
    dispatch({ type: "zoom", zoom: wide > 99.99 ? undefined : `${round(left)}-${round(left + wide)}` });
  }

  select(row) {
    const id = this.functionOf(row);
    if (isFunction(id)) dispatch({ type: "select", ...choiceOf(id) }, true);
  }

  choose(row) {
    if (row === undefined) return;
    const { picture } = this;
    const top = row < 0 ? 0 : (this.frames.depths[row] + 1) * ROW;
    if (top < picture.scrollTop || top > picture.scrollTop + picture.clientHeight - ROW) {
      picture.scrollTop = top - picture.clientHeight / 2;
      this.draw();
    }
    if (!this.elementOf(row)) this.zoom(row < 0 ? -1 : this.frames.callers[row]);
    this.current = row;
    this.draw();
    const element = this.elementOf(row);
    element?.focus();
    element?.scrollIntoView({ block: "nearest" });
    if (element) this.tell(row, { x: element.getBoundingClientRect().left, y: element.getBoundingClientRect().top });
  }

  tell(row, place) {
    showTip(this.lines(row), place);
  }

  beside(step) {
    const { current, frames } = this;
    if (current < 0) return undefined;
    const row = frames.childrenOf(frames.callers[current]);
    return row[row.indexOf(current) + step];
  }

  nextFound(step) {
    const { found, current } = this;
    if (!found.length) return;
    const at = found.indexOf(current);
    this.choose(found[at < 0 ? 0 : (at + step + found.length) % found.length]);
  }

  /** The frame below the current one with the largest share. */
  below() {
    const { frames } = this;
    return frames
      .childrenOf(this.current)
      .reduce(
        (best, row) => (best === undefined || frames.shares[row] > frames.shares[best] ? row : best),
        undefined,
      );
  }

  search() {
    const { frames } = this;
    this.matches = matcher(searched);
    const isSelected = selected === undefined ? null : (row) => frames.ids[row] === selected;
    const isFound = this.matches ? (row) => this.matches(frames.numbers[row]) : isSelected;
    const { found, share } = isFound ? frames.matching(isFound) : { found: [], share: 0 };
    this.found = found;
    const what = this.matches ? "matched" : isSelected ? `${shortName(selected)} has` : "";
    const part = frames.isAboveWhole ? "" : `${share.toFixed(1)} % in `;
    this.status.textContent = isFound ? clean(`${what} ${part}${plural(found.length, "frame", "frames")}`) : "";
  }

  listen() {
    const { box } = this;
    const keys = {
      ArrowUp: () => this.choose(this.current < 0 ? -1 : this.frames.callers[this.current]),
      ArrowDown: () => this.choose(this.current < -1 ? -1 : this.below()),
      ArrowLeft: () => this.choose(this.beside(-1)),
      ArrowRight: () => this.choose(this.beside(1)),
      Home: () => this.choose(-1),
      Enter: () => this.select(this.current),
      " ": () => this.zoom(this.current),
      Backspace: () => this.zoom(-1),
      Escape: () => (tip.hidden || state.zoom !== undefined ? this.zoom(-1) : hideTip()),
      n: () => this.nextFound(1),
      N: () => this.nextFound(-1),
    };
    box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    box.addEventListener("blur", hideTip, true);
    const rowOf = (event) => {
      const element = event.target.closest(".frame");
      return element ? Number(element.dataset.row) : undefined;
    };
    box.addEventListener("click", (event) => {
      const row = rowOf(event);
      if (row === undefined || this.wasDragged) return;
      // The second click of two is on what the first one zoomed to.
      if (event.detail === 2) return this.select(this.current);
      this.current = row;
      this.zoom(row);
      this.draw();
      this.elementOf(row)?.focus({ preventScroll: true });
    });
    box.addEventListener("mousemove", (event) => {
      const row = rowOf(event);
      if (row !== undefined && !this.drag) this.tell(row, { x: event.clientX, y: event.clientY });
    });
    box.addEventListener("mouseleave", hideTip);
    this.listenForMoves();
  }

  /** The wheel zooms at the pointer, and dragging moves the picture. */
  listenForMoves() {
    const { box, picture } = this;
    const percent = (pixels) => (pixels / (box.clientWidth || 1)) * this.range.width;
    box.addEventListener("wheel", (event) => {
      const { x, width } = this.range;
      const isOut = event.deltaY > 0;
      if (event.shiftKey || !event.deltaY || (isOut && width === 100)) return;
      event.preventDefault();
      const wide = width * (isOut ? 1.25 : 0.8);
      const at = percent(event.clientX - box.getBoundingClientRect().left);
      this.show(x + at - (at * wide) / width, wide);
    });
    box.addEventListener("mousedown", (event) => {
      if (event.button !== 0) return;
      this.wasDragged = false;
      this.drag = { from: event, x: this.range.x, top: picture.scrollTop };
    });
    picture.addEventListener("mousemove", (event) => {
      if (!this.drag || !event.buttons) return (this.drag = null);
      const { from, x, top } = this.drag;
      const [right, down] = [event.clientX - from.clientX, event.clientY - from.clientY];
      if (Math.hypot(right, down) < STILL && !this.wasDragged) return;
      this.wasDragged = true;
      hideTip();
      this.show(x - percent(right), this.range.width);
      picture.scrollTop = top - down;
    });
    picture.addEventListener("mouseup", () => (this.drag = null));
    picture.addEventListener("scroll", () => {
      cancelAnimationFrame(this.next);
      this.next = this.isWhole ? undefined : requestAnimationFrame(() => this.draw());
    });
  }

  start() {
    this.fill();
    this.search();
    this.draw();
  }
  update(before) {
    if (before.q !== state.q || before.f !== state.f) this.search();
    this.draw();
  }
  resize() {
    this.fill();
    this.draw();
  }
  /** On paper all rows are in view. */
  print(isOn) {
    this.isWhole = isOn;
    this.draw();
  }
  /** As high as the window. */
  fill() {
    const top = this.picture.getBoundingClientRect().top + scrollY;
    this.picture.style.maxHeight = `${Math.max(240, innerHeight - top - 56)}px`;
  }
}
