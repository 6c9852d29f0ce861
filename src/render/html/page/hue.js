// Modules of functions and their colours, as pictures have them too.

const hues = new Map();
moduleNumbers.forEach((module, id) => {
  if (module) hues.set(texts[module], hueNumbers[id]);
});
const moduleOf = (id) => (id < 0 ? "" : textAt(moduleNumbers[id]));

// What is told by shade: the class, its meaning in the legend, and beside a frame.
const SHADES = [
  [],
  ["runtime", "greyer: runtime of the language", "runtime of the language"],
  ["kernel", "greyer and darker: kernel", "kernel"],
  ["inlined", "lighter: inlined", "inlined"],
];
const INLINED = 3;
const inlinedColumn = tree?.column("inlined");

/** The number of the shade of a function, or of a frame that is a row of the tree. */
const shadeOf = (id, row) =>
  row >= 0 && inlinedColumn && tree.cell(inlinedColumn, row) !== "" ? INLINED : Number(shadeNumbers[id]) || 0;
