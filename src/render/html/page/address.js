// The address of the page holds its state: the view, and what is chosen in it.

// Functions of one name have one text.
const numbersOfNames = once(() => Uint32Array.from(nameOf, Number));
const namesakes = once(() => {
  const counts = new Uint32Array(texts.length);
  for (const number of numbersOfNames()) counts[number]++;
  return counts;
});
const functionsOf = (number) =>
  Array.from(numbersOfNames().keys()).filter((id) => numbersOfNames()[id] === number);

const ofOrigin = (number, place) => functionsOf(number).filter((id) => origin(id) === place);

/** The address of a function: its name, where it is from if others have the name, and its number among those. */
function addressOfFunction(id) {
  const number = Number(nameOf[id]);
  if (namesakes()[number] === 1) return { f: texts[number] };
  const place = ofOrigin(number, origin(id)).indexOf(id);
  return { f: texts[number], in: origin(id), k: place > 0 ? place + 1 : undefined };
}

/** The function of an address, or undefined; without its origin, the first of its name. */
function functionAt(name, place, number) {
  const text = texts.indexOf(name);
  const all = text < 0 ? [] : functionsOf(text);
  return (place === null ? all : ofOrigin(text, place))[(Number(number) || 1) - 1] ?? all[0];
}

/** A fragment: a view, and what is chosen in it. */
const fragment = (view, parameters) =>
  `#${[
    view,
    ...Object.entries(parameters)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}=${encodeURIComponent(value)}`),
  ]
    .filter(Boolean)
    .join("&")}`;
const linkTo = (id) => fragment("", addressOfFunction(id));

// What the address holds: the view, and what is chosen in it. Nobody else has this state.
let view = "";
let parameters = new URLSearchParams();
let searched = "";
/** The function that is selected in every view. */
let selected;
function readParameters() {
  searched = parameters.get("q") ?? "";
  selected = parameters.has("f")
    ? functionAt(parameters.get("f"), parameters.get("in"), parameters.get("k"))
    : undefined;
}
function readAddress() {
  const hash = location.hash.slice(1);
  parameters = new URLSearchParams(hash.replaceAll("+", "%2B"));
  view = /^[^=&]*(?=&|$)/.exec(hash)?.[0] ?? "";
  parameters.delete(view);
  readParameters();
}
/** Changes the address: in place, or as a step that the browser's back button undoes. */
function keep(changes, isStep = false) {
  for (const [key, value] of Object.entries(changes))
    value === undefined ? parameters.delete(key) : parameters.set(key, value);
  readParameters();
  const address = fragment(view, Object.fromEntries(parameters));
  if (address !== (location.hash || "#")) history[isStep ? "pushState" : "replaceState"](null, "", address);
  markLinks();
}
const selection = (id) => (id < 0 ? {} : { in: undefined, k: undefined, ...addressOfFunction(id) });
