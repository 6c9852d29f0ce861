// The report, as data in the page. The script sorts, searches and draws; each number is a cell of
// the report. All text goes through `make` or `clean`, so that no name is ever markup.

performance.mark("start");
const data = JSON.parse(document.getElementById("data").textContent);
performance.mark("parsed");
