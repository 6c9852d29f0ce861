// Checks the state of pages and its reducer: `node state.js ../../../src/render/html/page/state.js`.
"use strict";
const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const { stateOf, fragmentOf, reduced } = new Function(`${readFileSync(process.argv[2], "utf8")}
return { stateOf, fragmentOf, reduced };`)();

// An address gives a state, and the state gives the address.
for (const hash of ["#", "#f=main", "#flat&f=a%26b&q=%2Fx%2F&sort=calls&up=", "#flame&zoom=12.5-40", "#f=operator%2B&in=&k=2"])
  assert.strictEqual(fragmentOf(stateOf(hash)), hash);
assert.strictEqual(stateOf("#f=a+b").f, "a+b");
assert.strictEqual(stateOf("").view, "");
// Anybody may have written it.
for (const hash of ["#%", "#f=%00", "#__proto__=1&constructor=2&f", "#&&&=", `#${"&f=x".repeat(9999)}`]) {
  assert.ok(fragmentOf(stateOf(hash)).startsWith("#"), hash);
  assert.strictEqual(stateOf(hash).__proto__, Object.prototype);
}
const go = (hash, ...actions) => fragmentOf(actions.reduce(reduced, stateOf(hash)));
// A function is selected in the bench, and the search and the order stay.
assert.strictEqual(go("#flame&f=a&in=x&k=2&q=m&sort=calls&zoom=3", { type: "select", f: "b" }), "#f=b&q=m&sort=calls");
// In a table it is marked.
assert.strictEqual(go("#flat&f=a&k=2&sort=calls", { type: "mark", f: "b" }), "#flat&f=b&sort=calls");
// Another view has an order and a zoom of its own.
assert.strictEqual(go("#flat&f=a&q=m&sort=calls&up=", { type: "open", view: "tree" }), "#tree&f=a&q=m");
// The second click on a heading turns the order around; names begin with the first letter.
const calls = { type: "sort", sort: "calls", isText: false };
assert.strictEqual(go("#flat", calls), "#flat&sort=calls");
assert.strictEqual(go("#flat", calls, calls), "#flat&sort=calls&up=");
assert.strictEqual(go("#flat", calls, calls, calls), "#flat&sort=calls");
assert.strictEqual(go("#flat", { type: "sort", sort: "name", isText: true }), "#flat&sort=name&up=");
// The time stays with a function and in another view, and has frames of its own.
assert.strictEqual(go("#seconds=0.5..2&zoom=3", { type: "select", f: "b" }), "#f=b&seconds=0.5..2");
assert.strictEqual(go("#seconds=0.5..2", { type: "open", view: "flat" }), "#flat&seconds=0.5..2");
assert.strictEqual(go("#zoom=3", { type: "filter", seconds: "1..2" }), "#seconds=1..2");
assert.strictEqual(go("#label=tid%3D7&seconds=1..2", { type: "filter", seconds: undefined }), "#label=tid%3D7");
// Other frames have another zoom.
assert.strictEqual(go("#value=cpu&zoom=3", { type: "filter", value: "samples" }), "#value=samples");
assert.strictEqual(go("#q=a", { type: "search", q: undefined }), "#");
