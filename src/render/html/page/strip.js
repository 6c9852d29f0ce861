// The activity of threads over time, in which a range can be chosen.

// Heights of the lane of a thread, and of one lane alone.
const LANE = 16;
const ONLY_LANE = 44;
// A saved report may have more.
const MOST_LANES = 64;

/** The costs of threads in each slice, the busiest first; of the whole program if threads are not known. */
function lanesOf(weight) {
  const key = ["tid", "thread"].find((one) => labels().has(one));
  const { n } = slices();
  const lanes = new Map();
  const nameOfSet = (set) => {
    const found = new Map(labelsOfSets().get(set) ?? []);
    return found.has(key) ? `${found.get("comm") ?? key} ${found.get(key)}` : "";
  };
  const names = new Map([[NaN, ""], ...[...labelsOfSets().keys()].map((set) => [set, nameOfSet(set)])]);
  const [sets, ofSlices, costs] = ["set", "slice", weight.id].map(sampleNumbers);
  for (const row of labelledSamples()) {
    const name = names.get(sets[row]) ?? "";
    if (!lanes.has(name)) lanes.set(name, { name, all: 0, costs: new Float64Array(n) });
    const lane = lanes.get(name);
    lane.all += costs[row] || 0;
    if (ofSlices[row] < n) lane.costs[ofSlices[row]] += costs[row] || 0;
  }
  const sorted = [...lanes.values()].sort((a, b) => b.all - a.all).slice(0, MOST_LANES);
  return sorted.map((lane) => ({ ...lane, name: lane.name || (sorted.length > 1 ? "others" : "") }));
}

/** Round numbers of seconds within a range, about five. */
function ticksOf(from, until) {
  const rough = (until - from) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((one) => one * power >= rough);
  const found = [];
  for (let at = Math.ceil(from / step); at * step <= until; at++) found.push(at * step);
  return found;
}

class TimeStrip {
  constructor() {
    // The slice of the keyboard, and the other end of the range that it extends.
    this.cursor = 0;
    this.anchor = null;
    this.status = make("p", { role: "status", class: "status" });
    const field = (name, words) => {
      const onchange = () => this.choose(slicesIn(`${this.from.value.trim()}..${this.until.value.trim()}`));
      return (this[name] = make("input", { inputmode: "decimal", "aria-label": words, onchange }));
    };
    this.whole = make("button", { type: "button", onclick: () => this.choose(null) }, "Whole run");
    this.names = make("div", { class: "lanes", "aria-hidden": "true" });
    this.picture = make("svg:svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.range = make("div", { class: "range" });
    this.mark = make("div", { class: "mark", hidden: true });
    this.plot = make("div", { class: "plot", role: "group", tabindex: 0 }, this.picture, this.range, this.mark);
    this.axis = make("div", { class: "ticks", "aria-hidden": "true" });
    this.most = make("span", {});
    const help =
      "Drag to choose a part of the run, or press the arrow keys with Shift. Arrow keys alone move a mark, " +
      "and Escape chooses the whole run.";
    this.element = make(
      "section",
      { class: "strip", "aria-label": "Time" },
      make(
        "div",
        { class: "tools" },
        make("strong", {}, "Time"),
        make("span", {}, field("from", "From, in seconds"), " to ", field("until", "To, in seconds"), " s"),
        this.whole,
        this.status,
        this.most,
      ),
      make("div", { class: "lines" }, this.names, this.plot, this.axis),
    );
    this.plot.setAttribute("aria-label", `Activity over time. ${help}`);
    this.listen();
  }

  secondsAt(slice) {
    return (slices().start + slice * slices().width) / SECOND;
  }

  /** Chooses slices from the first up to an end, or the whole run. */
  choose(range, isStep = true) {
    const { n } = slices();
    const isWhole = !range || (range.first <= 0 && range.end >= n);
    const seconds = isWhole ? undefined : rangeText(range.first, range.end);
    if (seconds !== state.seconds) dispatch({ type: "filter", seconds }, isStep);
    else this.update();
  }

  sliceAt(event) {
    const box = this.plot.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / (box.width || 1)) * slices().n);
    return Math.min(Math.max(at, 0), slices().n - 1);
  }

  /** What is known of a slice, in lines; of a thread, if a height is given. */
  lines(slice, y) {
    const lane = this.lanes[Math.floor(y / (this.height / this.lanes.length))];
    const all = this.lanes.reduce((sum, one) => sum + one.costs[slice], 0);
    const cost = (one) => inUnit(one, this.unit);
    const place = `${duration(this.secondsAt(slice))} to ${duration(this.secondsAt(slice + 1))}`;
    const ofLane = lane && this.lanes.length > 1 ? [`${lane.name}: ${cost(lane.costs[slice])}`] : [];
    return [place, ...ofLane, `${this.lanes.length > 1 ? "all: " : ""}${cost(all)}`];
  }

  listen() {
    const { plot } = this;
    plot.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.drag = { from: this.sliceAt(event), x: event.clientX };
      plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointermove", (event) => {
      const slice = this.sliceAt(event);
      showTip(this.lines(slice, event.offsetY), { x: event.clientX, y: event.clientY });
      if (this.drag) this.drawRange(this.dragged(event));
    });
    plot.addEventListener("pointerup", (event) => {
      const range = this.drag && Math.abs(event.clientX - this.drag.x) >= STILL ? this.dragged(event) : null;
      this.cursor = this.sliceAt(event);
      this.drag = null;
      if (range) this.choose(range);
      else this.update();
    });
    plot.addEventListener("pointerleave", hideTip);
    plot.addEventListener("pointercancel", () => (this.drag = null));
    plot.addEventListener("keydown", (event) => this.onKey(event));
    plot.addEventListener("focus", () => this.drawMark());
    plot.addEventListener("blur", () => {
      this.anchor = null;
      this.mark.hidden = true;
      hideTip();
    });
  }

  dragged(event) {
    const [a, b] = [this.drag.from, this.sliceAt(event)];
    return { first: Math.min(a, b), end: Math.max(a, b) + 1 };
  }

  onKey(event) {
    const { n } = slices();
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -n, End: n };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") return this.choose(null);
    if (!(event.key in steps)) return;
    event.preventDefault();
    const before = this.cursor;
    this.cursor = Math.min(Math.max(before + steps[event.key], 0), n - 1);
    if (!event.shiftKey) this.anchor = null;
    else {
      const isFirst = this.anchor === null;
      this.anchor ??= before;
      const [first, last] = [this.anchor, this.cursor].sort((a, b) => a - b);
      this.choose({ first, end: last + 1 }, isFirst);
    }
    this.drawMark();
  }

  /** The mark of the keyboard, and what it is on. */
  drawMark() {
    const { n } = slices();
    this.mark.hidden = !this.plot.matches(":focus-visible");
    this.mark.style.left = `${((this.cursor + 0.5) / n) * 100}%`;
    if (this.mark.hidden) return;
    const box = this.mark.getBoundingClientRect();
    const lines = this.lines(this.cursor, -1);
    showTip(lines, { x: box.left, y: box.bottom });
    this.plot.setAttribute("aria-description", lines.join(", "));
  }

  drawRange(range) {
    const { n } = slices();
    this.range.hidden = !range;
    const { first, end } = range ?? { first: 0, end: n };
    Object.assign(this.range.style, { left: `${(first / n) * 100}%`, width: `${((end - first) / n) * 100}%` });
    return [first, end];
  }

  /** The lanes of the chosen value and label. */
  drawLanes() {
    const weight = chosenValue() ?? weightOf("weight");
    const key = `${weight.id} ${chosenLabel()}`;
    if (this.drawn === key) return;
    Object.assign(this, { drawn: key, lanes: lanesOf(weight), unit: weight.unit });
    const { lanes } = this;
    const { n, width } = slices();
    const high = lanes.length > 1 ? LANE : ONLY_LANE;
    const most = Math.max(...lanes.map((lane) => lane.costs.reduce((best, one) => Math.max(best, one), 0)));
    this.height = high * lanes.length;
    this.picture.setAttribute("viewBox", `0 0 ${n} ${lanes.length}`);
    const pathOf = (lane, row) => {
      const low = row + 1;
      const top = (cost) => (low - 0.92 * (most > 0 ? Math.max(0, cost) / most : 0)).toFixed(3);
      const steps = Array.from(lane.costs, (cost, at) => `V${top(cost)}H${at + 1}`).join("");
      return make("svg:path", { d: `M0 ${low}${steps}V${low}Z` });
    };
    this.picture.replaceChildren(...lanes.map(pathOf));
    for (const one of [this.plot, this.names]) one.style.height = `${this.height}px`;
    const nameOf = (lane) => make("div", { title: clean(lane.name) }, lane.name);
    this.names.replaceChildren(...(lanes.length > 1 ? lanes.map(nameOf) : []));
    this.most.textContent = `highest bar: ${inUnit(most, this.unit)} in ${duration(width / SECOND)}`;
  }

  drawAxis({ n }) {
    const [from, until] = [this.secondsAt(0), this.secondsAt(n)];
    const tick = (at) => {
      const one = make("span", {}, duration(at));
      const left = ((at - from) / (until - from)) * 100;
      Object.assign(one.style, { left: `${left}%`, ...(left > 95 && { transform: "translateX(-100%)" }) });
      return one;
    };
    this.axis.replaceChildren(...ticksOf(from, until).map(tick));
  }

  update() {
    const isShown = !keyOf(state);
    this.element.hidden = !isShown;
    if (!isShown) return;
    this.drawLanes();
    this.drawAxis(slices());
    const time = chosenSlices();
    const [first, end] = this.drawRange(time);
    [this.from.value, this.until.value] = [first, end].map(secondsOf);
    this.whole.disabled = !time;
    const sumOf = (from, to) =>
      this.lanes.reduce((sum, lane) => sum + lane.costs.subarray(from, to).reduce((all, one) => all + one, 0), 0);
    const [part, all] = [sumOf(first, end), sumOf(0, slices().n)];
    const share = all ? ` (${((part / all) * 100).toFixed(1)} %)` : "";
    this.status.textContent = time ? `${inUnit(part, this.unit)} of ${inUnit(all, this.unit)}${share}` : "";
  }
}
