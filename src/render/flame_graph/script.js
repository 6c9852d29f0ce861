// Zoom, search and keys for the frames of a flame graph. `svg` contains a group `.frames`, whose
// children are the frames in pre-order, each with `x` and `width` in percent, `y`, and a title
// with the name in the first line and numbers in the second, of a difference (`data-changes`) the
// change first; and a foreignObject `.tools`.
function flameGraph(svg) {
  "use strict";
  const HTML = "http://www.w3.org/1999/xhtml";
  const group = svg.querySelector(".frames");
  const rowHeight = Number(group.getAttribute("data-row"));
  const hasChanges = group.hasAttribute("data-changes");
  const frames = [];
  const open = [];
  for (const element of group.children) {
    const number = (name) => parseFloat(element.getAttribute(name));
    const [name, numbers] = element.querySelector("title").textContent.split("\n");
    const row = Math.round(number("y") / rowHeight);
    const frame = { element, name, numbers, row, x: number("x"), width: number("width"), index: frames.length };
    frame.last = frame.index;
    frame.short = element.getAttribute("data-short") ?? name;
    frame.change = hasChanges && row > 0 ? ` ${numbers.split(",")[0]}` : "";
    frame.caller = open[row - 1];
    open[row] = frame;
    frames.push(frame);
  }
  for (const frame of [...frames].reverse()) {
    if (frame.caller) frame.caller.last = Math.max(frame.caller.last, frame.last);
  }

  let zoomed = frames[0];
  let current = null;
  const before = [];
  let found = [];
  let matches = "";

  const isInside = (frame, outer) => frame.index >= outer.index && frame.index <= outer.last;
  const isShown = (frame) => isInside(frame, zoomed) || isInside(zoomed, frame);

  const make = (name, parent, attributes) => {
    const element = document.createElementNS(HTML, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return parent.appendChild(element);
  };
  const tools = make("div", svg.querySelector("foreignObject"), { class: "tools" });
  const back = make("button", tools, { type: "button" });
  back.textContent = "Back";
  const input = make("input", tools, { type: "search", placeholder: "Search", "aria-label": "Search names; text or /expression/" });
  const output = make("output", tools, { role: "status" });
  for (const hint of svg.querySelectorAll(".unscripted")) hint.remove();
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "figure");

  const say = (frame) => {
    const numbers = `${frame.name}: ${frame.numbers}`;
    output.textContent = matches ? `${matches}. ${numbers}` : numbers;
  };

  function fit(frame, pixels, perLetter) {
    const columns = Math.floor((pixels - 6) / perLetter);
    const room = columns - frame.change.length;
    const text = room < 3 ? "" : fitted(frame.short, room) + frame.change;
    let label = frame.element.querySelector("text");
    if (!label) {
      if (!text) return;
      label = document.createElementNS(svg.namespaceURI, "text");
      label.setAttribute("x", 3);
      label.setAttribute("y", 13);
      frame.element.append(label);
    }
    label.textContent = text;
  }

  function widthOfLetter() {
    const label = group.querySelector("text");
    const kept = label.textContent;
    label.textContent = "0".repeat(50);
    const width = label.getComputedTextLength() / 50;
    label.textContent = kept;
    return width || 7.2;
  }

  function draw() {
    const pixels = svg.getBoundingClientRect().width;
    const perLetter = widthOfLetter();
    const scale = 100 / zoomed.width;
    for (const frame of frames) {
      const { element } = frame;
      const isAbove = frame !== zoomed && isInside(zoomed, frame);
      element.style.display = isShown(frame) ? "" : "none";
      element.classList.toggle("above", isAbove);
      if (!isShown(frame)) continue;
      const x = isAbove ? 0 : (frame.x - zoomed.x) * scale;
      const width = isAbove ? 100 : frame.width * scale;
      element.setAttribute("x", `${x}%`);
      element.setAttribute("width", `${width}%`);
      fit(frame, (pixels * width) / 100, perLetter);
    }
    back.disabled = before.length === 0;
  }

  function zoom(frame) {
    if (frame === zoomed) return;
    before.push(zoomed);
    zoomed = frame;
    draw();
    say(frame);
  }

  function goBack() {
    if (before.length === 0) return;
    zoomed = before.pop();
    draw();
    say(zoomed);
  }

  function choose(frame) {
    if (!frame) return;
    if (!isShown(frame)) zoom(frames[0]);
    if (current) current.element.classList.remove("current");
    current = frame;
    current.element.classList.add("current");
    current.element.scrollIntoView({ block: "nearest" });
    say(frame);
  }

  function matcher(text) {
    const expression = /^\/(.+)\/$/.exec(text);
    if (expression) {
      try {
        const regexp = new RegExp(expression[1], "i");
        return (name) => regexp.test(name);
      } catch {
        return () => false;
      }
    }
    const wanted = text.toLowerCase();
    return (name) => wanted !== "" && name.toLowerCase().includes(wanted);
  }

  function search(text) {
    const isWanted = matcher(text);
    let share = 0;
    found = [];
    for (const frame of frames) {
      const isFound = isWanted(frame.name);
      frame.element.classList.toggle("found", isFound);
      if (isFound) found.push(frame);
      // The cost of a match below another is counted once.
      frame.isCounted = Boolean(frame.caller && frame.caller.isCounted);
      if (isFound && !frame.isCounted) {
        frame.isCounted = true;
        share += frame.width;
      }
    }
    const n = found.length;
    matches = text === "" ? "" : `${share.toFixed(2)} % in ${n} matching frame${n === 1 ? "" : "s"}`;
    output.textContent = matches;
  }

  function nextMatch(step) {
    if (found.length === 0) return;
    const place = found.indexOf(current);
    choose(found[place < 0 ? 0 : (place + step + found.length) % found.length]);
  }

  function beside(step) {
    const row = frames.filter((frame) => frame.row === current.row && isShown(frame));
    return row[row.indexOf(current) + step];
  }

  const actions = {
    ArrowUp: () => choose(current ? current.caller : zoomed),
    ArrowDown: () => choose(current ? frames.find((frame) => frame.caller === current && isShown(frame)) : zoomed),
    ArrowLeft: () => choose(current ? beside(-1) : zoomed),
    ArrowRight: () => choose(current ? beside(1) : zoomed),
    Home: () => choose(frames[0]),
    Enter: () => current && zoom(current),
    " ": () => current && zoom(current),
    Backspace: goBack,
    Escape: goBack,
    "/": () => input.focus(),
    n: () => nextMatch(1),
    N: () => nextMatch(-1),
  };

  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === input) {
      if (event.key === "Escape") {
        input.value = "";
        search("");
      }
      if (event.key !== "Enter" && event.key !== "Escape") return;
      svg.focus({ preventScroll: true });
      if (event.key === "Enter") nextMatch(1);
      event.preventDefault();
      return;
    }
    const action = event.target === back ? undefined : actions[event.key];
    if (!action) return;
    action();
    event.preventDefault();
  });
  input.addEventListener("input", () => search(input.value.trim()));
  back.addEventListener("click", goBack);
  const frameOf = (event) => frames.find((frame) => frame.element === event.target.closest(".frames > svg"));
  group.addEventListener("click", (event) => {
    const frame = frameOf(event);
    if (!frame) return;
    choose(frame);
    zoom(frame);
  });
  group.addEventListener("mouseover", (event) => {
    const frame = frameOf(event);
    if (frame) say(frame);
  });
  addEventListener("resize", draw);
  draw();
}
