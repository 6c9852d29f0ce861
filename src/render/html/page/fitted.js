// Names in little room.

/** A name in so many letters: as many of its last components as fit, or the start of the last one. */
function fitted(text, letters) {
  if ([...text].length <= letters) return text;
  const starts = [0];
  let depth = 0;
  const bare = text
    .replace(/( \[clone [^\]]*\])+$/, "")
    .replace(/(\.(constprop|isra|part|cold|lto_priv|llvm|clone)(\.\d+)?)+$/, "");
  // A full stop before a slash, as in example.com/words.main, and a number name nothing.
  const lastSlash = bare.lastIndexOf("/");
  const isNumber = (at) => bare.length - at <= 12 && /^(func)?\d[\d.]*$/.test(bare.slice(at));
  const isName = (at) => !(bare[at - 1] === "." && at < lastSlash) && !isNumber(at);
  for (let at = 0; at < bare.length && starts.length < 1000; at++) {
    if ("<([{".includes(bare[at])) depth++;
    else if (">)]}".includes(bare[at])) depth = Math.max(0, depth - 1);
    else if (depth === 0 && /^(::|[./ ])[^\s:./]/.test(bare.slice(at, at + 3))) {
      const start = at + (bare[at] === ":" ? 2 : 1);
      if (isName(start)) starts.push(start);
    }
  }
  const fits = (start) => [...bare.slice(start)].length <= letters;
  const first = starts.findIndex(fits);
  // A short component tells less than the start of the one before it.
  const hasRoom = first > 0 && bare.length - starts[first] >= letters / 3;
  const start = first === 0 || hasRoom ? starts[first] : starts[first < 0 ? starts.length - 1 : first - 1];
  if (fits(start)) return bare.slice(start);
  return letters < 3 ? "" : `${[...bare.slice(start)].slice(0, letters - 1).join("")}…`;
}
