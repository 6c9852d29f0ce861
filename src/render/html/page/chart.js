// Costs over time.

const charts = {
  trend: (table) => [...new Set(table.cells(table.name))].map(historyOf).filter(Boolean).slice(0, 3),
  // A picture of text: a height for each moment, and the bytes of each line.
  "trace-history": (table) => {
    // Reports of earlier versions have only the heights of the picture.
    const exact = table.column("bytes");
    const isHeight = (height) => !Number.isNaN(height);
    const heights = Array.from(table.numbers(exact || table.column("height"))).filter(isHeight);
    const ofLines = table.column("line_bytes");
    const lines = Array.from(table.cells(ofLines).keys()).filter((row) => table.cell(ofLines, row) !== "");
    const events = Number(table.cells(table.column("events")).find(Boolean));
    const unit = table.column("unit") ? textAt(table.cells(table.column("unit"))[0].slice(1)) : "events";
    const most = table.shown(ofLines, lines.at(-1));
    return chart({
      points: heights.flatMap((height, at) => [0, 1].map((side) => [at + side, height])),
      right: heights.length,
      top: exact ? Math.max(...heights) : lines.length,
      words: `memory in use, at most ${most}, over ${grouped(events)} ${unit}`,
      marks: [heights.indexOf(Math.max(...heights)) + 0.5],
      most,
      x: (at) => `${grouped(Math.round((at / heights.length) * events))} ${unit}`,
      y: exact ? size : null,
    });
  },
  "heap-snapshots": (table) => {
    const [x, y] = [table.column("time"), table.column("total_bytes")];
    const [xs, ys] = [table.numbers(x), table.numbers(y)];
    const peak = ys.indexOf(Math.max(...ys));
    const unit = x.head.replace("time ", "");
    const [most, when, end] = [table.shown(y, peak), table.shown(x, peak), table.shown(x, table.length - 1)];
    return chart({
      points: Array.from(xs, (at, row) => [at, ys[row]]),
      right: xs.at(-1),
      top: ys[peak],
      words: `memory in use, at most ${most} at ${when}, over ${end} ${unit}`,
      marks: [xs[peak]],
      most,
      x: (at) => `${grouped(Math.round(at))} ${unit}`,
      y: size,
    });
  },
};

/** A picture of heights with its axes and marks at moments; the pointer reads them out. */
function chart({ points, right, top, words, marks, about = "the dashed line is the peak", most, x, y }) {
  const place = ([at, height]) =>
    `${((at / (right || 1)) * 1000).toFixed(1)},${(300 - (height / (top || 1)) * 290).toFixed(1)}`;
  const lines = marks.map((mark) => (mark / (right || 1)) * 1000);
  const picture = make(
    "svg:svg",
    { viewBox: "0 0 1000 300", preserveAspectRatio: "none", role: "img", "aria-label": clean(words), class: "chart" },
    make("svg:polygon", { points: `0,300 ${points.map(place).join(" ")} 1000,300` }),
    ...lines.map((at) => make("svg:line", { x1: at, x2: at, y1: 0, y2: 300 })),
  );
  picture.addEventListener("mousemove", (event) => {
    const box = picture.getBoundingClientRect();
    const time = ((event.clientX - box.left) / box.width) * right;
    const height = points.findLast((point) => point[0] <= time)?.[1];
    if (y && height !== undefined) showTip([y(height), x(time)], { x: event.clientX, y: event.clientY });
  });
  picture.addEventListener("mouseleave", hideTip);
  const axes = [
    make("div", { class: "axis" }, most),
    picture,
    make("div", { class: "axis" }, "0", make("span", {}, x(right))),
  ];
  return make("figure", {}, axes, make("figcaption", {}, words, lines.length ? `; ${about}` : ""));
}
