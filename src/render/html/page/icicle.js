// The stacks through a function: those that lead to it, and those that it leads to.

class Icicle extends FlameGraph {
  constructor(frames, id, isUpward) {
    super(frames);
    Object.assign(this, { id, isUpward, isWhole: true });
    this.box.setAttribute("aria-label", isUpward ? "Stacks that lead to the function" : "Stacks that it leads to");
  }
  get range() {
    return { x: 0, width: 100, row: -1 };
  }
  /** A frame leads to its function; nothing is zoomed here. */
  zoom(row) {
    if (row >= 0) this.select(row);
  }
  show() {}
  nameOf(row) {
    return row < 0 ? nameText(this.id) : super.nameOf(row);
  }
  functionOf(row) {
    return row < 0 ? this.id : super.functionOf(row);
  }
  numbers(row) {
    return [
      `${this.frames.shares[row].toFixed(1)} % of ${shortName(this.id)}`,
      inUnit(this.frames.totals[row], this.frames.unit),
    ];
  }
  /** Callers are above the function, which is the last line; callees begin below it. */
  draw() {
    super.draw();
    const deepest = parseFloat(this.box.style.height) / ROW - 1;
    for (const one of [...this.box.children]) {
      const row = Number(one.dataset.row);
      const depth = row < 0 ? 0 : this.frames.depths[row] + 1;
      one.style.top = `${(this.isUpward ? deepest - depth : depth - 1) * ROW}px`;
      if (row < 0 && !this.isUpward) one.remove();
    }
    if (!this.isUpward) this.box.style.height = `${deepest * ROW}px`;
  }
  start() {
    this.draw();
    if (this.isUpward) this.picture.scrollTop = this.picture.scrollHeight;
  }
}

/** The frames on one side of a function, of its outermost calls. */
function framesBeside(id, isUpward) {
  const { ids, ends, callers, n } = recordedFrames();
  const { weights, unit } = costsOfFrames();
  const totals = totalsOf(weights, callers);
  const outermost = [];
  for (let row = 0; row < n; row = ids[row] === id ? ends[row] : row + 1)
    if (ids[row] === id && totals[row] > 0) outermost.push({ row, cost: totals[row] });
  const all = outermost.reduce((sum, { cost }) => sum + cost, 0);
  const above = (items) =>
    items.filter(({ row }) => callers[row] >= 0).map(({ row, cost }) => ({ row: callers[row], cost }));
  const next = isUpward ? above : (items) => calleesOf(items, totals);
  const made = grown(next(outermost), (items) => ({ next: next(items), own: 0 }), all);
  return new Frames({ ...made, all, unit });
}

/** The stacks through a function, if the page adds up stacks. */
function stacksPane(id) {
  if (!canAdd || !weightOf("weight")) return null;
  const sides = [true, false].map((isUpward) => new Icicle(framesBeside(id, isUpward), id, isUpward));
  if (sides.every((side) => !side.frames.n)) return null;
  return {
    part: pane(
      "Stacks through it",
      "stacks",
      sides.map((side) => side.picture),
    ),
    start: () => sides.forEach((side) => side.start()),
    resize: () => sides.forEach((side) => side.draw()),
  };
}
