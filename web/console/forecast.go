package console

import (
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

// Foreseen is what the shown draft will ask for and may do.
type Foreseen struct {
	Known bool // the draft is a definition
	List  []grant.Forecast

	of    *InstallForm
	text  string
	again bool
}

// foresee keeps the forecast that of the text in the form: nobody installs beside an older one.
func (m *Model) foresee() {
	if m.View != ShowInstall || m.Form == nil || m.engine == nil {
		return
	}
	text, failure := m.Form.text()
	if m.Foreseen.again && m.Foreseen.of == m.Form && m.Foreseen.text == text {
		return
	}
	m.Foreseen = Foreseen{of: m.Form, text: text, again: true}
	if failure != nil {
		return
	}
	if list, err := m.engine.Forecast(text); err == nil {
		m.Foreseen.Known, m.Foreseen.List = true, list
	}
}

// ForecastText says one thing of a forecast in words.
func ForecastText(f grant.Forecast) string {
	switch f.Capability {
	case "fetch":
		if f.Class == grant.Write {
			return "Write to"
		}
		return "Read from"
	case "popup":
		return "Open a window"
	case "secret":
		return "Use the secret that you give it as"
	case "storage":
		return "Store values of its own in this browser"
	case "subtasks":
		return "Make tasks that follow its own"
	}
	return f.Capability
}

// ForecastScope is the scope of a forecast for a reader, "" where the words say all.
func ForecastScope(f grant.Forecast) string {
	switch {
	case f.Capability == "storage" || f.Capability == "subtasks":
		return ""
	case f.Scope == grant.Any:
		return "any site"
	}
	return f.Scope
}

// ForecastAlike is the readable form of its scope, "" where it is the same.
func ForecastAlike(f grant.Forecast) string {
	if f.Readable == f.Scope {
		return ""
	}
	return f.Readable
}

// Asks are the things of a forecast that the person decides at their first use.
func Asks(list []grant.Forecast) (groups []ForecastGroup) {
	for _, f := range list {
		if !f.Asks {
			continue
		}
		at := slices.IndexFunc(groups, func(g ForecastGroup) bool { return g.Leak == f.Leak })
		if at < 0 {
			at, groups = len(groups), append(groups, ForecastGroup{Leak: f.Leak})
		}
		groups[at].List = append(groups[at].List, f)
	}
	return groups
}

// ForecastGroup are things of which a yes lets out the same.
type ForecastGroup struct {
	List []grant.Forecast
	Leak string
}

// Free are the things of a forecast that need no question.
func Free(list []grant.Forecast) (free []grant.Forecast) {
	for _, f := range list {
		if !f.Asks {
			free = append(free, f)
		}
	}
	return free
}

// namedOrigins are the sites that a forecast names.
func namedOrigins(list []grant.Forecast) string {
	var origins []string
	for _, f := range list {
		if f.Capability == "fetch" && f.Scope != grant.Any && !strings.Contains(strings.Join(origins, " ")+" ", f.Scope+" ") {
			origins = append(origins, f.Scope)
		}
	}
	return strings.Join(origins, " ")
}
