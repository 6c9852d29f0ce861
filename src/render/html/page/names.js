// Names of functions, and where these are from.

const nameColumns = data.names.map((column) => column.split(","));
const [nameOf, fileOf, lineOf, objectOf, , shortOf] = nameColumns;
const [moduleNumbers, hueNumbers, shadeNumbers] = nameColumns.slice(6);
const texts = data.texts;
const textAt = (number) => (number ? texts[number] : "");
const nameText = (id) => texts[nameOf[id]];
const shortName = (id) => texts[shortOf[id] || nameOf[id]];
const origin = (id) => {
  const file = textAt(fileOf[id]);
  const place = file && lineOf[id] ? `${file}:${lineOf[id]}` : file;
  return [textAt(objectOf[id]), place].filter(Boolean).join(" ");
};

const hasObjects = new Set((objectOf ?? []).filter(Boolean)).size > 1;
const baseName = (path) => path.split(/[\\/]/).at(-1);
