// Choosers of a value, a label, a module, and an order of frames.

/** A chooser with groups of options: a value and its words. */
function chooser(label, key, groups) {
  const optionOf = ([value, words]) => make("option", { value, selected: (state[key] ?? "") === value }, words);
  const options = groups.map(([name, found]) =>
    name ? make("optgroup", { label: clean(name) }, found.map(optionOf)) : found.map(optionOf),
  );
  const choose = (event) =>
    dispatch({ type: "filter", [key]: event.target.value || undefined }, true);
  return make("label", { class: "choice" }, `${label} `, make("select", { name: key, onchange: choose }, options));
}

/** The values that frames have costs of. */
function valueChooser() {
  const others = data.metrics.filter((metric) => !metric.primary && weightOf(`weight_${metric.id}`));
  if (!others.length) return null;
  return chooser("Value", "value", [[null, [["", primary], ...others.map(({ id }) => [id, id])]]]);
}

/** The labels that frames have costs of, by key. */
function labelChooser() {
  const groups = [...(canAdd ? labels() : [])];
  const ofKey = ([key, values]) => [key, values.map((value) => [textOfLabel([key, value]), value])];
  return groups.length ? chooser("Label", "label", [[null, [["", "all"]]], ...groups.map(ofKey)]) : null;
}

function moduleChooser() {
  const names = [...hues.keys()];
  if (names.length < 2) return null;
  const sorted = names
    .map((name) => [name, baseName(name)])
    .sort((a, b) => a[1].localeCompare(b[1]))
    .slice(0, 500);
  return chooser("Module", "module", [[null, [["", "all"], ...sorted]]]);
}

function wayChooser() {
  if (!canAdd || !weightOf("weight")) return null;
  return chooser("Order", "way", [
    [
      null,
      [
        ["", "top-down"],
        ["up", "bottom-up"],
        ["merged", "recursion merged"],
        ["functions", "merged by function"],
      ],
    ],
  ]);
}

/** The options of profan that make the same choice. */
function optionsOfChoice() {
  const time = chosenSlices();
  return [
    ...(chosenValue() ? ["--value", state.value] : []),
    ...(chosenLabel() !== undefined ? ["--label", state.label] : []),
    ...(time ? ["--seconds", rangeText(time.first, time.end)] : []),
  ];
}
