// The search for names.

const lowered = once(() => texts.map((text) => text.toLowerCase()));
/** The place of each text in the order of all. */
const textRanks = once(() => {
  const places = new Map();
  for (const text of texts.slice().sort()) if (!places.has(text)) places.set(text, places.size);
  return Uint32Array.from(texts, (text) => places.get(text));
});

/** A function that tells which texts match: part of a text, or an /expression/. */
function matcher(wanted) {
  if (wanted === "") return null;
  let test;
  const expression = /^\/(.+)\/$/.exec(wanted);
  try {
    const pattern = expression && new RegExp(expression[1], "i");
    const lower = wanted.toLowerCase();
    test = pattern ? (number) => pattern.test(texts[number]) : (number) => lowered()[number].includes(lower);
  } catch {
    test = () => false;
  }
  // Of each text once: 0 unknown, 1 no, 2 yes.
  const known = new Uint8Array(texts.length);
  return (number) => {
    if (number < 0) return false;
    if (!known[number]) known[number] = test(number) ? 2 : 1;
    return known[number] === 2;
  };
}

function searchField() {
  const input = make("input", {
    type: "search",
    value: searched,
    class: "search",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Search names: text or /expression/",
    placeholder: "Search: text or /expression/",
  });
  input.addEventListener("input", () => {
    performance.mark("search");
    dispatch({ type: "search", q: input.value.trim() || undefined });
    performance.measure("searched", "search");
  });
  return input;
}
