// Elements whose text is never markup.

// Control characters and invisible ones, as the report escapes them in names.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escaped = (letter) => {
  const code = letter.codePointAt(0).toString(16);
  return code.length < 3 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
};
const clean = (text) => String(text).replace(UNSEEN, escaped);

/** An element with attributes and children; children that are no elements are text. */
function make(tag, attributes = {}, ...children) {
  const name = tag.startsWith("svg:") ? tag.slice(4) : null;
  const element = name ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((one) => one !== null && one !== undefined)
      .map((one) => (one instanceof Node ? one : clean(one))),
  );
  return element;
}

const list = (tag, sentences) => sentences.map((one) => make(tag, {}, withCode(one))).flat();

/** A sentence, with text between backticks as code. */
function withCode(sentence) {
  return String(sentence)
    .split("`")
    .map((part, index, all) => (index % 2 && index < all.length - 1 ? make("code", {}, part) : part));
}

const grouped = (number) => number.toLocaleString("en-US");
const plural = (number, one, many) => `${grouped(number)} ${number === 1 ? one : many}`;
