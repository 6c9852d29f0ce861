// The frames of the call tree in one order, each behind its caller.

/** A frame for each row: its depth, function, text and cost, and the row of the tree if it has one. */
class Frames {
  constructor({ depths, ids, numbers, totals, selfs, rows, all, unit }) {
    const n = depths.length;
    Object.assign(this, { n, depths, ids, numbers, totals, selfs, rows, all, unit });
    this.percents = rows
      ? Float64Array.from(tree.numbers(tree.column("percent")))
      : Float64Array.from(totals, (total) => (all ? (total / all) * 100 : 0));
    // Frames that have more than all costs share the width.
    const wide = this.percents.reduce((sum, percent, at) => (depths[at] ? sum : sum + percent), 0);
    this.isAboveWhole = wide > 100.5;
    this.shares = this.isAboveWhole ? this.percents.map((percent) => (percent / wide) * 100) : this.percents;
    Object.assign(this, {
      xs: new Float64Array(n),
      ends: new Uint32Array(n),
      callers: new Int32Array(n).fill(-1),
    });
    const free = [0];
    const path = [];
    for (let at = 0; at < n; at++) {
      const depth = depths[at];
      for (const done of path.splice(depth)) this.ends[done] = at;
      free.length = depth + 1;
      this.xs[at] = free[depth];
      free[depth] += this.shares[at];
      free.push(this.xs[at]);
      this.callers[at] = depth > 0 ? path[depth - 1] : -1;
      path.push(at);
    }
    for (const done of path) this.ends[done] = n;
  }

  /** The frames that a frame calls; those without a caller for -1. */
  childrenOf(at) {
    const found = [];
    for (let next = at + 1; next < (at < 0 ? this.n : this.ends[at]); next = this.ends[next]) found.push(next);
    return found;
  }

  /** The frames of which a test is true, and the share of them all; what is below another counts once. */
  matching(isFound) {
    const found = [];
    let [share, outer] = [0, 0];
    for (let at = 0; at < this.n; at++) {
      if (!isFound(at)) continue;
      found.push(at);
      if (at < outer) continue;
      outer = this.ends[at];
      share += this.shares[at];
    }
    return { found, share };
  }
}
