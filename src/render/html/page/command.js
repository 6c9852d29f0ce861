// Commands that print a view in a terminal.

// Options with a value that a choice has.
const VALUED = ["--value", "--label", "--seconds"];
const BY_FILE = ["--by-file=rows", "--format", "csv"];
const OPTIONS = {
  flat: ["-p"],
  run: ["-p"],
  graph: ["-q"],
  index: ["-q"],
  tree: ["--tree"],
  leaks: ["--leaks"],
  sizes: ["--bins"],
  counts: ["-C"],
  source: ["-A"],
  "source-top": ["-A"],
  "source-summary": ["-A"],
  "source-files": ["-A"],
  coverage: ["--coverage"],
  "heap-peak": ["--peak"],
  "heap-temporary": ["--temporary"],
  "heap-snapshots": ["--trace"],
  files: ["-i"],
  spread: ["--by-file"],
  "spread-files": ["--by-file"],
  "by-file": BY_FILE,
  runs: BY_FILE,
  trend: ["--trend"],
  "tree-difference": ["--tree"],
};
const optionsOf = (id) =>
  OPTIONS[id] || (id.startsWith("trace") ? ["--trace"] : id.startsWith("coverage") ? ["--coverage"] : []);
const quoted = (word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The command that prints a view, as a shell reads it; empty if no shell could. */
function command(...options) {
  if (!data.command.length) return "";
  const isDiff = data.command[0] === "diff";
  const given = (isDiff ? data.command.slice(1) : data.command).filter(
    (word) => !(options[0] === BY_FILE[0] && word.startsWith("--by-file")),
  );
  const isOption = (word, at) => VALUED.includes(options[at - 1]) || VALUED.includes(word) || !given.includes(word);
  // A choice replaces a given value or time.
  const isReplaced = (word) => /^--(value|seconds)$/.test(word) && options.includes(word);
  const words = [
    "profan",
    ...(isDiff ? ["diff"] : []),
    ...options.filter(isOption),
    ...given.filter((word, at) => !isReplaced(word) && !isReplaced(given[at - 1]) && !isReplaced(word.split("=")[0])),
  ];
  return words.some((word) => clean(word) !== word) ? "" : words.map(quoted).join(" ");
}

function copyable(text) {
  if (!text) return null;
  const code = make("code", { tabindex: 0, "aria-label": `Command: ${clean(text)}` }, text);
  const output = make("span", { role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    output.textContent = "copied";
  };
  return make(
    "p",
    { class: "command" },
    make("span", {}, "In a terminal: "),
    code,
    " ",
    make("button", { type: "button", onclick: copy }, "Copy"),
    " ",
    output,
  );
}
