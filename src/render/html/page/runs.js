// Files side by side.

// Files that are columns, and those of them that are shown at first.
const MOST_FILES = 200;
const FIRST_FILES = 12;

/** Files side by side: a row for each function, a column for each file with the cost there. */
const runs = once(() => {
  const cost = byFile.columns.find((column) => column.role === "self");
  const rank = byFile.column("rank");
  const [files, ranks, names, costs] = [byFile.column("profile"), rank, byFile.name, cost].map(
    (column) => column && byFile.cells(column),
  );
  const rowOf = new Map();
  const spread = tableOf("spread");
  for (const name of [...(spread ? spread.cells(spread.name) : []), ...names])
    if (name !== "" && !rowOf.has(name) && texts[nameOf[name.slice(1)]] !== "<all>") rowOf.set(name, rowOf.size);
  const columnOf = new Map();
  const columns = [];
  const [cells, shown] = [[], []];
  files.forEach((file, row) => {
    if (!columnOf.has(file)) {
      columnOf.set(file, columns.length);
      if (columns.length === MOST_FILES) return;
      const label = ranks?.[row] ? `rank ${byFile.shown(rank, row)}` : texts[file.slice(1)];
      columns.push({
        ...cost,
        id: `file ${columns.length}`,
        role: "run",
        head: [label],
        decimals: cost.print.decimals,
      });
      for (const texts of [cells, shown]) texts.push(new Array(rowOf.size).fill(""));
    }
    const [at, function_] = [columnOf.get(file), rowOf.get(names[row])];
    if (!cells[at]) return;
    cells[at][function_] = costs[row];
    shown[at][function_] = byFile.cell(cost, row, "shown");
  });
  const isWhole = columnOf.size <= MOST_FILES;
  const notes = [
    `Numbers are self ${cost.head.replace(/^self /, "")}; empty cells have none. ` +
      "Colours mark 10, 25 and 50 % more than the mean of a row.",
    ...(isWhole ? [] : [`The first ${MOST_FILES} of ${columnOf.size} files.`]),
  ];
  // Names come first, and files in the order of their numbers.
  const order = [...columns.keys()].sort((a, b) =>
    columns[a].head[0].localeCompare(columns[b].head[0], "en", { numeric: true }),
  );
  const start = columns.length ? commonStart(columns.map((column) => column.head[0])) : 0;
  const sorted = order.map((at, place) => ({
    ...columns[at],
    head: [columns[at].head[0].slice(start)],
    print: place < FIRST_FILES ? cost.print : null,
  }));
  const block = {
    kinds: "0".repeat(rowOf.size),
    cells: [[...rowOf.keys()].join(","), ...order.map((at) => cells[at].join(","))],
    shown: ["", ...order.map((at) => shown[at].join("|"))],
  };
  const name = { ...byFile.name, head: ["name"] };
  return new Table(
    {
      id: "runs",
      title: "Files side by side",
      summary: notes,
      notes: byFile.notes,
      columns: [name, ...sorted],
      blocks: [block],
    },
    tables.length,
  );
});

/** The rows of a function by file. */
const rowsByFile = once(() => {
  const rows = new Map();
  byFile
    ?.cells(byFile.name)
    .forEach((name, row) => (rows.has(name) ? rows.get(name).push(row) : rows.set(name, [row])));
  return rows;
});
