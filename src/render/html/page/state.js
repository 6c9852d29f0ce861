// What is chosen in the page: one state, which the address holds, and one reducer.

const CHOICES = ["f", "in", "k", "source", "q", "sort", "up", "zoom", "way", "value", "label", "seconds", "module"];

/** The state of a fragment, which anybody may have written. */
function stateOf(hash) {
  const text = hash.replace(/^#/, "");
  const parameters = new URLSearchParams(text.replaceAll("+", "%2B"));
  const view = /^[^=&]*(?=&|$)/.exec(text)?.[0] ?? "";
  const chosen = CHOICES.filter((key) => parameters.has(key)).map((key) => [key, parameters.get(key)]);
  return { view, ...Object.fromEntries(chosen) };
}

/** The fragment of a state. */
function fragmentOf(state) {
  const chosen = CHOICES.filter((key) => state[key] !== undefined);
  const parts = chosen.map((key) => `${key}=${encodeURIComponent(state[key])}`);
  return `#${[state.view, ...parts].filter(Boolean).join("&")}`;
}

/** The state after an action. The rest of the state stays. */
function reduced(state, { type, ...changes }) {
  const isSorted = state.sort === changes.sort;
  switch (type) {
    case "open":
      return { ...state, source: undefined, sort: undefined, up: undefined, zoom: undefined, ...changes };
    case "select":
      return {
        ...state,
        view: "",
        source: undefined,
        zoom: undefined,
        in: undefined,
        k: undefined,
        ...changes,
      };
    case "mark":
      return { ...state, in: undefined, k: undefined, ...changes };
    case "sort":
      return {
        ...state,
        sort: changes.sort,
        up: (isSorted ? state.up === undefined : changes.isText) ? "" : undefined,
      };
    case "filter":
      return { ...state, zoom: undefined, ...changes };
    default:
      return { ...state, ...changes };
  }
}
