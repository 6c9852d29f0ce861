// Changes of frames of a difference.

const CHANGES = [
  "at least 20 % less, or gone",
  "less",
  "less than 2 % more or less",
  "more",
  "at least 20 % more, or new",
];

/** The step of a frame of a difference, and its change in words. */
function changeOf(row) {
  const column = tree.column("change_percent");
  if (tree.kind(row) === "rest") return [2, ""];
  const cell = tree.cell(column, row);
  if (cell === "") return [4, "new"];
  const percent = Number(cell);
  return [
    percent >= 20 ? 4 : percent >= 2 ? 3 : percent <= -20 ? 0 : percent <= -2 ? 1 : 2,
    `${tree.shown(column, row)} %`,
  ];
}
const isOfSides = tree?.id === "tree-difference";
