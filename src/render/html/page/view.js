// The part of the page that changes.

const main = make("main", { id: "main", tabindex: -1 });
const show = (title, ...parts) => {
  document.body.className = "";
  main.replaceChildren(make("h1", {}, title), ...parts.flat(Infinity).filter(Boolean));
};
const start = (view) => {
  view.update();
  return view;
};
const paragraphs = (sentences) =>
  list(
    "p",
    sentences.flatMap((one) => one.split("\n")).filter((one) => one.trim()),
  );

const inputsOf = (kind) => data.inputs.filter((input) => input.kind.endsWith(kind));
const title = (() => {
  const programs = [...new Set(inputsOf("executable").map((input) => baseName(input.path)))];
  const profiles = inputsOf("profile").filter((input) => !input.layout.endsWith(" table"));
  const runs = profiles.length === 1 ? baseName(profiles[0].path) : plural(profiles.length, "profile", "profiles");
  return [...programs, runs].join(", ");
})();
document.title = clean(`${title} – profan`);

/** The length of the directories that all paths begin with. */
function commonStart(paths) {
  const [first, ...others] = paths;
  let length = 0;
  for (let at = 0; at < first.length && others.every((path) => path[at] === first[at]); at++)
    if ("/\\".includes(first[at])) length = at + 1;
  return others.length ? length : 0;
}
