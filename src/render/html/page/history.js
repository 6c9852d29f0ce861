// The cost of a function in each of many files, with its lasting changes.

/** A picture of it; null if the report has no history of the function. */
function historyOf(cell) {
  const trend = tableOf("trend");
  const rows = rowsByFile().get(cell);
  if (!trend || !rows) return null;
  const cost = byFile.columns.find((column) => column.role === "self");
  const [files, numbers] = [byFile.cells(byFile.column("profile")), byFile.numbers(cost)];
  const costs = new Map(files.map((file) => [file, 0]));
  for (const row of rows) costs.set(files[row], numbers[row]);
  const heights = [...costs.values()];
  const greatest = rows.reduce((best, row) => (numbers[row] > numbers[best] ? row : best));
  // Programs have files of their own.
  const starts = trend.column("program") ? [] : trend.numbers(trend.column("file_number"));
  return chart({
    points: heights.flatMap((height, at) => [0, 1].map((side) => [at + side, height])),
    right: heights.length,
    top: numbers[greatest],
    words: `${byFile.shown(byFile.name, rows[0])}: ${cost.head} in each of ${plural(heights.length, "file", "files")}`,
    marks: Array.from(starts, (start) => start - 1).filter((_, row) => trend.cells(trend.name)[row] === cell),
    about: "dashed lines are lasting changes",
    most: byFile.shown(cost, greatest),
    x: (at) => plural(Math.round(at), "file", "files"),
  });
}
