// What is known of a frame, beside the pointer or the keyboard.

const tip = make("div", { class: "tip", hidden: true, "aria-hidden": "true" });

/** Shows lines beside an element, within the window. */
function showTip(lines, { x, y }) {
  tip.replaceChildren(...lines.map((line, at) => make(at ? "div" : "strong", {}, line)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 8))}px`;
  tip.style.top = `${y + 20 + height > innerHeight ? Math.max(4, y - height - 10) : y + 20}px`;
}
const hideTip = () => (tip.hidden = true);
