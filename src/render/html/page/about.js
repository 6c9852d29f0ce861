// What the page is about: the whole program in a line, warnings, and the files.

/** The whole program: its cost in large letters, and the rest in words. */
function whole() {
  const difference = tableOf("program-difference") ?? tableOf("difference");
  const all = difference ? difference.kinds.indexOf(String(TOTAL)) : -1;
  if (all >= 0) {
    const [old, now, change] = ["old", "new", "change_percent"].map((id) =>
      difference.shown(difference.column(id), all),
    );
    return [make("strong", {}, `${old} → ${now}`), ` ${change} %`];
  }
  const column = flat?.columns.find((one) => one.role === "self" && one.print);
  if (!column) return [];
  const sum = flat
    .numbers(column)
    .reduce((all, cost, row) => (SUMS[flat.kindNumber(row)] || flat.belongs(row) ? all : all + (cost || 0)), 0);
  const metric = data.metrics.find((one) => one.primary);
  const isTime = column.id.endsWith("_seconds");
  const amount = isTime ? duration(sum) : inUnit(sum, metric?.unit);
  const unit = isTime || metric?.unit === "bytes" ? "" : ` ${column.head.replace(/^self /, "")}`;
  return [
    make("strong", {}, `${amount}${unit}`),
    metric && isTime !== (metric.quantity === "time") ? ` of ${metric.quantity}` : "",
  ];
}

/** A warning with its cure. */
const warningOf = ({ code, message, advice }) => [
  make("strong", {}, `${code} `),
  withCode(message),
  make("br"),
  make(
    "span",
    { class: "advice" },
    "Help: ",
    withCode(advice),
    ". More: ",
    make("code", {}, `profan explain ${code}`),
  ),
];

/** Warnings with their cures, folded after the first. */
function warnings() {
  const [first, ...others] = data.diagnostics;
  if (!first) return null;
  const more = make(
    "details",
    {},
    make("summary", {}, plural(others.length, "more warning", "more warnings")),
    make(
      "ul",
      {},
      others.map((one) => make("li", {}, warningOf(one))),
    ),
  );
  return make(
    "section",
    { class: "warnings", "aria-label": "Warnings" },
    make("p", {}, warningOf(first)),
    others.length ? more : null,
  );
}

/** Notes, files and metrics of the report. */
function about() {
  const verdictOf = ({ verdict }) =>
    verdict && [
      verdict.message,
      make(
        "ul",
        {},
        verdict.evidence.map((one) => make("li", {}, one.message)),
      ),
    ];
  const hasVerdicts = data.inputs.some((input) => input.verdict);
  const rowOf = (input) =>
    make(
      "tr",
      {},
      [input.path, input.kind, input.layout, ...(hasVerdicts ? [verdictOf(input) || ""] : [])].map((one) =>
        make("td", {}, one),
      ),
    );
  const rows = data.inputs.slice(0, 20).map(rowOf);
  if (data.inputs.length > 20)
    rows.push(make("tr", {}, make("td", { colspan: 4 }, `${data.inputs.length - 20} more`)));
  const heads = ["file", "kind", "layout", ...(hasVerdicts ? ["is it the executable that wrote the profile?"] : [])];
  const basisOf = ({ basis, total_basis: ofTotals }) =>
    ofTotals && ofTotals !== basis ? `${basis}; totals ${ofTotals}` : basis;
  const measured = data.metrics.map((metric) => `${metric.quantity} in ${metric.unit}: ${basisOf(metric)}`);
  const [first] = ofFunctions;
  const summaries = [
    ...new Set([
      ...(first?.summary ?? []),
      ...(tree?.summary ?? []),
      ...(first?.uncertainty.summary ?? []),
      ...(first?.notes ?? []),
    ]),
  ];
  return [
    paragraphs([...(data.notes || []), ...summaries]),
    make(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "Files" },
      make(
        "table",
        {},
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            heads.map((head) => make("th", { scope: "col" }, head)),
          ),
        ),
        make("tbody", {}, rows),
      ),
    ),
    measured.length ? [make("h3", {}, "Measured"), make("ul", {}, list("li", measured))] : null,
    sources.length
      ? [
          make("h3", {}, "Source files in this page"),
          make(
            "ul",
            {},
            sources.map((table, at) => make("li", {}, make("a", { href: `#source=${at}` }, fileOfSource(table)))),
          ),
        ]
      : make("p", {}, "No source files in this page."),
  ];
}
