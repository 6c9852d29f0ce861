// The facts of a function: its full name, where it is from, and its numbers.

/** The numbers of a row, each with its name. */
function numbersOf(table, row) {
  const without = ["name", "bar", "index", "marks"];
  const shown = table.columns.filter(
    (column) =>
      column.print && !without.includes(column.role) && table.cell(column, row) !== "" && !table.isZero(column),
  );
  const fact = (head, words, attributes = {}) => make("div", {}, make("dt", {}, head), make("dd", attributes, words));
  const numberOf = (column) =>
    fact(column.head, callsOf(table, column, row) ?? table.shown(column, row), {
      "data-value": table.cell(column, row),
      "data-column": column.id,
    });
  const limits = table.limits(row);
  return [...shown.map(numberOf), limits ? fact("limits of the total", limits) : null];
}

/** All that is known of a function beside its callers and callees. */
function factsPane(id, rows) {
  const texts = [
    ["full name", nameText(id)],
    ["module", textAt(objectOf[id])],
    ["file", textAt(fileOf[id]) && [textAt(fileOf[id]), lineOf[id]].filter(Boolean).join(":")],
  ].filter(([, text]) => text);
  const words = make(
    "dl",
    { class: "words" },
    texts.map(([head, text]) => [make("dt", {}, head), make("dd", {}, text)]),
  );
  const lists = rows.map(([table, row]) =>
    make(
      "div",
      {},
      make("h3", {}, table.title),
      make("dl", { "data-section": table.id, "data-row": row }, numbersOf(table, row)),
    ),
  );
  const others = functionsOf(Number(nameOf[id])).filter((one) => one !== id && isFunction(one));
  const same = others
    .slice(0, 20)
    .map((one) => [make("a", { href: linkTo(one) }, origin(one) || "another function"), " "]);
  return pane(
    "Facts",
    "facts",
    words,
    make("div", { class: "lists" }, lists),
    same.length ? make("p", {}, "Same name: ", same) : null,
  );
}
