// Sums that the page adds up, in the units of a screen.

const THOUSAND = 1000;

/** A duration in the unit that fits, with three digits. */
function duration(seconds) {
  if (seconds === 0) return "0 s";
  const units = [
    [1, "s"],
    [1e3, "ms"],
    [1e6, "us"],
    [1e9, "ns"],
  ];
  const [factor, unit] = units.find(([one]) => Math.abs(seconds) * one >= 0.9995) ?? units.at(-1);
  const value = seconds * factor;
  const most = Math.abs(value);
  return `${value.toFixed(most >= 99.95 ? 0 : most >= 9.995 ? 1 : 2)} ${unit}`;
}

/** A size below 1024 of its unit, with one decimal except for bytes. */
function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let [value, at] = [bytes, 0];
  while (Math.abs(at ? Math.round(value * 10) / 10 : value) >= 1024 && at < units.length - 1)
    [value, at] = [value / 1024, at + 1];
  return `${at ? value.toFixed(1) : value} ${units[at]}`;
}

/** A sum in a unit of the report. */
function inUnit(value, unit) {
  if (unit === "nanoseconds") return duration(value / THOUSAND ** 3);
  if (unit === "bytes") return size(value);
  return grouped(Math.round(value));
}
