// Addresses of functions, and the state that the address of the page holds.

// Functions of one name have one text.
const numbersOfNames = once(() => Uint32Array.from(nameOf, Number));
const namesakes = once(() => {
  const counts = new Uint32Array(texts.length);
  for (const number of numbersOfNames()) counts[number]++;
  return counts;
});
const functionsOf = (number) => Array.from(numbersOfNames().keys()).filter((id) => numbersOfNames()[id] === number);

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

/** The choice of a function; of none if there is none. */
const choiceOf = (id) => (id === undefined || id < 0 ? { f: undefined } : addressOfFunction(id));
const linkTo = (id) => fragmentOf(reduced(state, { type: "select", ...choiceOf(id) }));
const linkToView = (view, changes) => fragmentOf(reduced(state, { type: "open", view, ...changes }));

// The address holds the state. Nobody else has one.
let state = stateOf(location.hash);
let searched = "";
/** The function that is selected in every view. */
let selected;
function derive() {
  searched = state.q ?? "";
  selected = state.f === undefined ? undefined : functionAt(state.f, state.in ?? null, state.k);
}

/** Changes the state, in place or as a step that the browser's back button undoes, and draws it. */
function dispatch(action, isStep = false) {
  const before = state;
  state = reduced(state, action);
  derive();
  const address = fragmentOf(state);
  if (address !== (location.hash || "#")) history[isStep ? "pushState" : "replaceState"](null, "", address);
  redraw(before);
}
