// The heap over time.

const charts = {
  // A picture of text: a height for each moment, and the bytes of each line.
  "trace-history": (table) => {
    // Reports of earlier versions have only the heights of the picture.
    const exact = table.column("bytes");
    const heights = Array.from(table.numbers(exact || table.column("height"))).filter(
      (height) => !Number.isNaN(height),
    );
    const ofLines = table.column("line_bytes");
    const lines = Array.from(table.cells(ofLines).keys()).filter((row) => table.cell(ofLines, row) !== "");
    const events = table.cells(table.column("events")).find(Boolean);
    const top = exact ? Math.max(...heights) : lines.length;
    const points = heights.flatMap((height, at) => [
      [at, height],
      [at + 1, height],
    ]);
    const unit = table.column("unit") ? textAt(table.cells(table.column("unit"))[0].slice(1)) : "events";
    return chart(
      points,
      heights.length,
      top,
      `memory in use, at most ${table.shown(ofLines, lines.at(-1))}, over ${grouped(Number(events))} ${unit}`,
      heights.indexOf(Math.max(...heights)) + 0.5,
    );
  },
  "heap-snapshots": (table) => {
    const [x, y] = [table.column("time"), table.column("total_bytes")];
    const [xs, ys] = [table.numbers(x), table.numbers(y)];
    const peak = ys.indexOf(Math.max(...ys));
    const points = Array.from(xs, (at, row) => [at, ys[row]]);
    return chart(
      points,
      xs.at(-1),
      ys[peak],
      `memory in use, at most ${table.shown(y, peak)} at ${table.shown(x, peak)}, ` +
        `over ${table.shown(x, table.length - 1)} ${x.head.replace("time ", "")}`,
    );
  },
};

function chart(
  points,
  right,
  top,
  words,
  peak = points.reduce((best, point) => (point[1] > best[1] ? point : best), [0, -1])[0],
) {
  const place = ([x, y]) => `${((x / (right || 1)) * 1000).toFixed(1)},${(300 - (y / (top || 1)) * 290).toFixed(1)}`;
  const at = (peak / (right || 1)) * 1000;
  const picture = make(
    "svg:svg",
    {
      viewBox: "0 0 1000 300",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": clean(words),
      class: "chart",
    },
    make("svg:polygon", { points: `0,300 ${points.map(place).join(" ")} 1000,300` }),
    make("svg:line", { x1: at, x2: at, y1: 0, y2: 300 }),
  );
  return make("figure", {}, picture, make("figcaption", {}, words, "; the dashed line is the peak"));
}
