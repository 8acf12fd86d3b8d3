package contracts

import "encoding/json"

// anywhere declares that a tool may ask for any origin, so that what keeps it from one is policy or the user and not what it declares.
var anywhere = pattern(`{"needs":{"fetch":[{"origin":"*","access":"write"}]}}`)

// fetcher is a tool that asks for each address of `asks`, some with an init, and gives what became of each: the status of an answer that
// came to its end, else the reason, else the name of the error.
const fetcher = `async ({ asks }, { fetch }) => {
  const seen = [];
  for (const ask of asks) {
    const [address, init] = Array.isArray(ask) ? ask : [ask];
    try { const response = await fetch(address, init); await response.text(); seen.push(response.status) }
    catch (e) { seen.push(e.code ?? e.name) }
  }
  return seen;
}`

// ask is one row: an address, perhaps with an init (JSON), and what becomes of it: a reason or a status.
type ask struct {
	url  string
	init string
	want any
}

// row is a row without an init.
func row(url string, want any) ask { return ask{url, "", want} }

// same is many addresses that end alike.
func same(want any, urls ...string) []ask {
	var rows []ask
	for _, url := range urls {
		rows = append(rows, row(url, want))
	}
	return rows
}

func rows(lists ...[]ask) (all []ask) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// fetchStep is a call of a fetcher with these rows.
func fetchStep(rows []ask) Step {
	var asks, wants []any
	for _, r := range rows {
		if r.init == "" {
			asks = append(asks, r.url)
		} else {
			asks = append(asks, []any{r.url, json.RawMessage(r.init)})
		}
		wants = append(wants, r.want)
	}
	return Step{Args: object(map[string]any{"asks": asks}), Expect: object(map[string]any{"outcome": "ok", "result": wants})}
}

// object is a value as JSON. What it is given are literals of this package.
func object(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}

// refused is a contract of one fetcher whose asks all end before anything is sent.
func refused(id, title, guard string, lists ...[]ask) Contract {
	return Contract{ID: id, Title: title, Guard: guard, Tools: []Tool{{Code: fetcher, More: anywhere}}, Steps: []Step{fetchStep(rows(lists...))}}
}

// answered is a contract of one fetcher whose requests arrive: the canary hears these lines and no others.
func answered(id, title, guard string, hears []string, list []ask) Contract {
	c := refused(id, title, guard, list)
	c.Hears = hears
	return c
}

// tool is one that declares any origin.
func anyTool(code string) Tool { return Tool{Code: code, More: anywhere} }

// api is an address that leads to the canary under a public name.
const api = "https://api.example.com:{port}/{id}/"

// asks of a step were put to the user, in these words.
func (s Step) asked(texts ...string) Step {
	questions := []any{}
	for _, text := range texts {
		questions = append(questions, map[string]any{"text": text})
	}
	s.Expect = object(map[string]any{"$all": []any{s.Expect, map[string]any{"asked": questions}}})
	return s
}

func (s Step) of(tool int) Step {
	s.Tool = tool
	return s
}

func (s Step) permitted(how string) Step {
	s.Permission = how
	return s
}
