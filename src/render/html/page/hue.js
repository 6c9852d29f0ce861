// Colours of frames: by module, else by package, else by file, else by function.

const HUES = 18;

/** The package of a Go function, or the first namespace of a name; empty for a plain name. */
function packageOf(name) {
  const bare = name.replace(/^[\w ]*?\(anonymous namespace\)::/, "").replace(/[<([{].*$/, "");
  const go = /^([\w.-]+\/)*[\w-]+(?=\.)/.exec(bare);
  return bare.includes("::") ? bare.slice(0, bare.indexOf("::")) : go ? go[0] : "";
}

/** The same number for the same text everywhere. */
const hashOf = (text) => [...text].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)) >>> 0, 7);

/** The group of each function of some frames, and the hue of each group. */
function huesOf(ids, numbers) {
  const nameAt = (at) => texts[numbers[at]];
  const ways = [
    (at) => (ids[at] < 0 ? "" : textAt(objectOf[ids[at]])),
    (at) => packageOf(nameAt(at)),
    (at) => (ids[at] < 0 ? "" : textAt(fileOf[ids[at]])),
    nameAt,
  ];
  const every = Array.from(ids.keys());
  const isTelling = (way) => new Set(every.map(way).filter(Boolean)).size > 1;
  const way = ways.find(isTelling) ?? nameAt;
  const hues = new Map();
  const taken = new Set();
  for (const at of every) {
    const group = way(at);
    if (!group || hues.has(group)) continue;
    let hue = hashOf(baseName(group)) % HUES;
    for (let step = 0; taken.has(hue) && step < HUES && taken.size < HUES; step++) hue = (hue + 7) % HUES;
    taken.add(hue);
    hues.set(group, hue);
  }
  return { groupOf: way, hues, isOfFunctions: way === nameAt };
}

/** Whether a frame belongs to the kernel or to the runtime of a language. */
function shadeOf(id, name) {
  const object = id < 0 ? "" : textAt(objectOf[id]);
  if (/^\[?(kernel|guest\.kernel|.*\.ko\b|vmlinux)/.test(baseName(object))) return " kernel";
  return /^(runtime\.|std::rt::|__libc_start|_start$)/.test(name) ? " runtime" : "";
}
