// The report, as data in the page. The script sorts, searches and draws; each number is a cell of
// the report. All text goes through `make` or `clean`, so that no name is ever markup.

performance.mark("start");
const data = JSON.parse(document.getElementById("data").textContent);
// Metrics of labels are costs of call stacks.
data.metrics = data.metrics.filter((metric) => !metric.id.startsWith("label:"));
performance.mark("parsed");
