// The first view.

function showOverview() {
  const parts = [];
  parts.push(paragraphs(data.notes || []));
  if (data.diagnostics.length) {
    const items = data.diagnostics.map(({ code, message, advice }) =>
      make(
        "li",
        {},
        make("strong", {}, `${code} `),
        withCode(message),
        make("br"),
        make(
          "span",
          { class: "advice" },
          "Try: ",
          withCode(advice),
          ". More: ",
          make("code", {}, `profan explain ${code}`),
        ),
      ),
    );
    parts.push(
      make(
        "section",
        { class: "warnings", "aria-label": "Warnings" },
        make("h2", {}, "Warnings"),
        make("ul", {}, items),
      ),
    );
  }
  const first =
    flat ||
    tableOf("difference") ||
    tableOf("spread") ||
    tables.find((table) => table.length && table.name && !["graph", "index"].includes(table.id));
  if (first) {
    const shares = first.columns.filter((column) => column.role === "share" && column.print);
    const hasCost = (row) =>
      !shares.length ||
      shares.every((column) => first.isZero(column)) ||
      shares.some((column) => /[1-9]/.test(first.shown(column, row)));
    const heads = Array.from(first.heads)
      .filter((row) => first.id === "difference" || (first.kind(row) === "entry" && hasCost(row)))
      .slice(0, 10);
    const rows = heads.flatMap((row) => Array.from({ length: first.end(row) - row }, (_, at) => row + at));
    const view = new TableView(first, { rows, isWhole: true, canSort: false });
    parts.push(
      make("h2", {}, first.title),
      paragraphs(first.summary),
      start(view).scroll,
      make(
        "p",
        {},
        make(
          "a",
          { href: `#${addressOf(first)}` },
          first.length > rows.length ? `All ${plural(first.length, "row", "rows")}` : "Sort and search",
        ),
      ),
    );
    parts.push(paragraphs([...(first.uncertainty.summary || []), ...first.notes]));
  }
  for (const table of tables)
    if (table.length && charts[table.id]) parts.push(make("h2", {}, table.title), charts[table.id](table));
  if (tree) parts.push(paragraphs(tree.summary.filter((one) => !first?.summary.includes(one))));
  const rows = data.inputs.map(({ path, kind, layout, verdict }) =>
    make(
      "tr",
      {},
      make("td", {}, path),
      make("td", {}, kind),
      make("td", {}, layout),
      make(
        "td",
        {},
        verdict
          ? [
              verdict.message,
              make(
                "ul",
                {},
                verdict.evidence.map((one) => make("li", {}, one.message)),
              ),
            ]
          : "",
      ),
    ),
  );
  const heads = ["file", "kind", "layout", "is it the executable that wrote the profile?"];
  if (rows.length > 20)
    rows.splice(20, rows.length, make("tr", {}, make("td", { colspan: 4 }, `${rows.length - 20} more`)));
  parts.push(
    make("h2", {}, "Files"),
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
  );
  const measured = data.metrics.map(
    (metric) =>
      `${metric.quantity} in ${metric.unit}: ${metric.basis}${metric.total_basis && metric.total_basis !== metric.basis ? `; totals ${metric.total_basis}` : ""}`,
  );
  if (measured.length) parts.push(make("h2", {}, "Measured"), make("ul", {}, list("li", measured)));
  const included = sources.map((table) => fileOfSource(table));
  parts.push(
    make("h2", {}, "Source files in this page"),
    included.length
      ? make(
          "ul",
          {},
          included.map((file, at) => make("li", {}, make("a", { href: `#source=${at}` }, file))),
        )
      : make("p", {}, "None."),
  );
  show(title, parts, copyable(command()));
}
