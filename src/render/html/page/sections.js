// The sections of the report.

const tables = data.sections.map((section, index) => new Table(section, index));
const tableOf = (id) => tables.find((table) => table.id === id);
const flat = tableOf("flat");
const byFile = tableOf("by-file");
const tree = tableOf("tree") || tableOf("tree-difference");

const graphTable = tableOf("graph");
const once = (make) => {
  let made;
  return () => (made ??= make());
};
