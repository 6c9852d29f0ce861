// Modules of functions and their colours: by library, else by package, else by source file.

const HUES = 18;
// Functions whose modules are offered.
const MOST_FUNCTIONS = 5000;

/** The package of a Go function, or the first namespace of a name; empty for a plain name. */
function packageOf(name) {
  const bare = name.replace(/^[\w ]*?\(anonymous namespace\)::/, "").replace(/[<([{].*$/, "");
  const go = /^([\w.-]+\/)*[\w-]+(?=\.)/.exec(bare);
  // Names of templates begin with the type of their result.
  return bare.includes("::") ? bare.slice(0, bare.indexOf("::")).split(" ").at(-1) : go ? go[0] : "";
}

/** The same number for the same text everywhere. */
const hashOf = (text) => [...text].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)) >>> 0, 7);

/** The way in which functions have modules, and the hue of each module; no way tells them apart if there is one. */
const modules = once(() => {
  // The first functions are the hottest ones.
  const cells = ofFunctions.length ? functionCells() : (graphTable ? graph().ofName : rowsByFile()).keys();
  const ids = Array.from(cells, (cell) => Number(cell.slice(1))).slice(0, MOST_FUNCTIONS);
  const ofObject = (id) => textAt(objectOf[id]);
  // The program itself, if most functions are its own, is told apart by its packages.
  const counts = new Map();
  for (const id of ids) counts.set(ofObject(id), (counts.get(ofObject(id)) ?? 0) + 1);
  const main = [...counts].find(([name, n]) => name && n * 2 > ids.length)?.[0];
  const inMain = (id) => (main && ofObject(id) === main && packageOf(nameText(id))) || ofObject(id);
  const ofPackage = (id) => packageOf(nameText(id));
  const hasPackages = new Set(ids.map(ofPackage).filter(Boolean)).size > 1;
  const ways = [inMain, (id) => (hasPackages && ofPackage(id)) || textAt(fileOf[id])];
  const way = ways.find((of) => new Set(ids.map(of).filter(Boolean)).size > 1) ?? null;
  const hues = new Map();
  const taken = new Set();
  for (const module of way ? ids.map(way) : []) {
    if (!module || hues.has(module)) continue;
    let hue = hashOf(baseName(module)) % HUES;
    for (let step = 0; taken.has(hue) && step < HUES; step++) hue = (hue + 7) % HUES;
    taken.add(hue);
    hues.set(module, hue);
  }
  return { way, hues };
});
const moduleOf = (id) => (id < 0 ? "" : (modules().way?.(id) ?? ""));

const hueOfModule = (module) => (modules().hues.get(module) ?? hashOf(baseName(module)) % HUES) * (360 / HUES);

/** The hue of a function: that of its module, or its own if modules tell nothing. */
function hueOf(id, name) {
  const { way } = modules();
  const module = way ? moduleOf(id) : name;
  return module ? hueOfModule(module) : undefined;
}

/** Whether a frame belongs to the kernel or to the runtime of a language. */
function shadeOf(id, name) {
  const object = id < 0 ? "" : textAt(objectOf[id]);
  if (/^\[?(kernel|guest\.kernel|.*\.ko\b|vmlinux)/.test(baseName(object))) return " kernel";
  return /^(runtime\.|std::rt::|__libc_start|_start$)/.test(name) ? " runtime" : "";
}
