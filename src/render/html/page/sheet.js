// A section as a table that fills the window.

/** A section as a table, with what belongs above and below it. */
function showSheet(table) {
  const view = new TableView(table);
  const foot = make("div");
  const tell = () => {
    const options = [...optionsOf(table.id)];
    if (view.sort && ["flat", "difference"].includes(table.id))
      options.push("--sort", view.sort.id, ...(view.isAscending !== table.isText(view.sort) ? ["--reverse"] : []));
    if (view.hasError) options.push("--error");
    foot.replaceChildren(...[copyable(command(...options))].filter(Boolean));
  };
  const picture = table.length ? charts[table.id]?.(table) : null;
  const isRows = table.length && table.id !== "trace-history";
  view.onChange = tell;
  show(
    table.title,
    paragraphs(table.summary),
    picture,
    isRows ? view.withTools() : null,
    paragraphs([...(table.uncertainty.summary || []), ...table.notes, ...aboutFolded(table)]),
    foot,
  );
  if (isRows) start(view).showSelected();
  tell();
  return {
    update(before) {
      if (before.q !== state.q) view.restart();
      else view.update();
      tell();
    },
  };
}
