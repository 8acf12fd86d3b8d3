package ui

import (
	"github.com/vugu/vugu/js"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// liveLines bounds the drawing while lines pour in; all that are kept are shown once the run ended.
const liveLines = 200

// setLines makes the log lines of a run the children of an element that no template fills. A flood would cost Vugu an instruction
// and a callback for each line at each drawing; here a line that stands costs nothing. What stands is noted in properties of the
// element, since attributes that no template names are removed at each drawing.
func setLines(el js.Value, run *console.Run) {
	from := 0 // the first of run.Logs to show
	if run.Running {
		from = max(0, len(run.Logs)-liveLines)
	}
	first, next := mark(el, "firstLine"), mark(el, "nextLine") // of the series
	if mark(el, "logSeries") != run.LogSeries || run.Dropped+from < first || run.Dropped+from >= next {
		el.Set("textContent", "")
		first, next = run.Dropped+from, run.Dropped+from
	}
	for ; first < run.Dropped+from; first++ {
		el.Get("firstElementChild").Call("remove")
	}
	for _, line := range run.Logs[next-run.Dropped:] {
		el.Call("append", row(line))
	}
	el.Set("logSeries", run.LogSeries)
	el.Set("firstLine", first)
	el.Set("nextLine", run.Dropped+len(run.Logs))
}

// mark is a number that setLines noted, 0 before it did.
func mark(el js.Value, name string) int {
	if v := el.Get(name); v.Type() == js.TypeNumber {
		return v.Int()
	}
	return 0
}

func row(line console.LogLine) js.Value {
	document := js.Global().Get("document")
	row, level, text := document.Call("createElement", "p"), document.Call("createElement", "span"), document.Call("createElement", "span")
	row.Set("className", "log")
	row.Get("dataset").Set("level", line.Level)
	level.Set("className", "log-level")
	level.Set("textContent", line.Level)
	text.Set("className", "log-text")
	text.Set("textContent", line.Text)
	row.Call("append", level, " ", text)
	return row
}
