// The columns that a table shows.

const isNarrow = () => matchMedia("(max-width: 40rem)").matches;

function usualColumns(view) {
  const { table, hasError } = view;
  const isUsual = (column) => {
    if (column === table.guess) return !hasError || !table.column("marks");
    if (column.role === "limit" || column.role === "marks") return hasError || Boolean(column.print);
    return (
      (Boolean(column.print) && column.role !== "bar" && !table.isZero(column)) ||
      (table.id === "source" && column.id === "line")
    );
  };
  const chosen = view.chosen;
  let shown = chosen ? [...chosen].map((id) => table.column(id)).filter(Boolean) : table.columns.filter(isUsual);
  if (!chosen && isNarrow() && shown.length > 3 && table.id !== "runs") {
    const first = table.share || shown.find((one) => one.id === "change_percent") || shown[0];
    const kept = new Set([
      first,
      table.guess,
      shown.find(
        (one) =>
          one !== first &&
          (["self", "verdict", "total", "count"].includes(one.role) || (view.depth && one.role === "change")),
      ),
      table.name,
    ]);
    shown = shown.filter((column) => kept.has(column) || (hasError && column.role === "limit"));
  }
  return shown.length ? shown : table.columns.slice(0, 3);
}

/** Number of letters of the widest cell: of numbers exactly, of texts from a sample. */
function lettersOf(table, column) {
  return table.once(`letters ${column.at}`, () => {
    let most = Math.max(...column.head.split(" ").map((word) => word.length)) + 1;
    for (let row = 0; row < Math.min(table.length, 300); row++)
      most = Math.max(most, (callsOf(table, column, row) ?? table.shown(column, row)).length);
    if (table.isText(column)) return Math.min(most, 32);
    const decimals = column.print || column.role === "limit" ? 1 + (column.print?.decimals ?? 2) : 10;
    for (const { cells } of table.blocks) {
      const text = cells[column.at];
      for (let at = 0, n = 0, isWhole = true, more = 0; at <= text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === 44 || at === text.length) {
          if (n + more > most) most = n + more;
          n = 0;
          isWhole = true;
          more = 0;
        } else if (code === 46 || code === 101) {
          isWhole = false;
          more = decimals;
        } else if (isWhole) n++;
      }
    }
    return Math.min(most + (column.print?.signed || column.role === "change" ? 1 : 0), 44);
  });
}
