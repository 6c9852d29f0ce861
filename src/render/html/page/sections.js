// The sections of the report.

const tables = data.sections.map((section, index) => new Table(section, index));
const tableOf = (id) => tables.find((table) => table.id === id);
const flat = tableOf("flat");
const byFile = tableOf("by-file");
const tree = tableOf("tree") || tableOf("tree-difference");

/** How many frames of a tree are folded, and their share of the total. */
const aboutFolded = ({ folded: [n, percent] = [0] }) =>
  n ? [`${plural(n, "frame is", "frames are")} folded into “…”, the smallest first: ${percent} % of the total.`] : [];
const graphTable = tableOf("graph");
const once = (make) => {
  let made;
  return () => (made ??= make());
};
