// The rows that a table shows, in order.

const TOTAL = KINDS.indexOf("total");
// This kind and those behind it are no functions.
const REST = KINDS.indexOf("rest");
const SUMS = KINDS.map((kind) => kind === "total" || kind === "rest");

/** The rows to show, in order. */
function arranged(view) {
  const { table } = view;
  const matches = matcher(view.hasSearch ? searched : "");
  const textColumns = matches
    ? table.columns.filter((column) => (column.print || column === table.name) && table.isText(column))
    : [];
  const numbers = textColumns.map((column) => table.textNumbers(column));
  const isMatch = (row) => {
    for (const column of numbers) if (matches(column[row])) return true;
    return false;
  };
  const isOfModule = (row) => state.module === undefined || moduleOf(view.functionOf(row)) === state.module;
  const isWanted = (row) => (!matches || isMatch(row)) && (!view.isList || isOfModule(row));
  if (view.depth) return arrangedTree(view, matches && isMatch);
  let groups = view.rows ? Uint32Array.from(view.rows) : table.heads.slice();
  const hasGroups = !view.rows && table.heads.length < table.length;
  if (matches || (view.isList && state.module !== undefined)) {
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
      if (found !== view.hidesMatches || isSum) groups[n_kept++] = row;
    }
    groups = groups.subarray(0, n_kept);
    const of = shares ? `matched ${share.toFixed(1)} % in ` : "matched ";
    view.status.textContent = `${of}${plural(n, "row", "rows")}${view.hidesMatches ? ", hidden" : ""}`;
  } else {
    view.status.textContent = plural(groups.length, "row", "rows");
  }
  if (view.sort) groups = sorted(view, groups);
  if (!hasGroups) return groups;
  return Array.from(groups).flatMap((row) => Array.from({ length: table.end(row) - row }, (_, at) => row + at));
}

/** In the order of a column; equal rows keep theirs, and rows without a value come last. */
function sorted(view, groups) {
  const { table, sort, isAscending } = view;
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

function arrangedTree(view, isMatch) {
  const { table, depths } = view;
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
    view.status.textContent = `matched ${share.toFixed(1)} % in ${plural(n, "frame", "frames")}`;
    return shown;
  }
  let closed = Infinity;
  for (let row = 0; row < table.length; row++) {
    if (depths[row] > closed) continue;
    closed = view.closed.has(row) ? depths[row] : Infinity;
    shown.push(row);
  }
  view.status.textContent = `${shown.length} of ${plural(table.length, "frame", "frames")}`;
  return shown;
}
