// A section as a table.

/** A section as a table, with what belongs above and below it. */
function showTable(table) {
  const view = new TableView(table);
  view.sort = table.columns.find((column) => column.id === parameters.get("sort")) ?? null;
  view.isAscending = parameters.has("up");
  const foot = make("div");
  const tell = () => {
    keep({ sort: view.sort?.id, up: view.sort && view.isAscending ? "" : undefined });
    const options = [...optionsOf(table.id)];
    if (view.sort && ["flat", "difference"].includes(table.id))
      options.push(
        "--sort",
        view.sort.id,
        ...(view.isAscending !== table.isText(view.sort) ? ["--reverse"] : []),
      );
    if (view.hasError) options.push("--error");
    foot.replaceChildren(...[copyable(command(...options))].filter(Boolean));
  };
  const picture = table.length ? charts[table.id]?.(table) : null;
  const isRows = table.length && table.id !== "trace-history";
  const also =
    table === tree ? make("p", {}, make("a", { href: "#flame" }, "The same as a flame graph")) : null;
  const leftOut = table.leftOut
    ? [`${plural(table.leftOut, "frame", "frames")} below 0.05 % or deeper than 1000 left out.`]
    : [];
  show(
    table.title,
    paragraphs(table.summary),
    also,
    picture,
    isRows ? view.withTools({ onChange: tell }) : null,
    paragraphs([...(table.uncertainty.summary || []), ...table.notes, ...leftOut]),
    foot,
  );
  if (isRows) start(view).showSelected();
  tell();
}
