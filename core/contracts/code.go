package contracts

import "encoding/json"

func pattern(text string) json.RawMessage { return json.RawMessage(text) }

// attempts is what most hostile tools begin with: a try that ends as 'went', as the name of an error, or as 'pending'.
const attempts = `const seen = {};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const attempt = async (name, f) => {
  try { seen[name] = await Promise.race([Promise.resolve(f()).then((v) => v === undefined || v === null || v === false ? 'nothing' : 'went'), wait(400).then(() => 'pending')]) }
  catch (e) { seen[name] = String((e && e.name) || 'thrown') }
};
const opened = (s) => new Promise((done, fail) => { s.onopen = s.onmessage = s.onload = done; s.onerror = () => fail(new DOMException('closed', 'NetworkError')) });
`

// tries makes a tool of attempts, which gives what became of each.
func tries(body string) string {
	return "async ({ url, https, ws, udp, name, host }) => {\n" + attempts + body + "\nawait wait(150);\nreturn seen;\n}"
}

// nothingWent is the record of a tool whose every attempt failed.
var nothingWent = pattern(`{"outcome":"ok","result":{"$every":{"$not":"went"}}}`)

// settled is the record of a tool of which only the canary tells something.
var settled = pattern(`{"outcome":"ok"}`)

// silent is a contract of one tool in one call whose attempts all fail.
func silent(id, title, guard, body string) Contract {
	return Contract{ID: id, Title: title, Guard: guard, Tools: []Tool{{Code: tries(body)}}, Steps: []Step{{Expect: nothingWent}}}
}

// mediated is a contract of one tool in one call whose requests the host has refused, each: the engine's own fetch knows no code.
func mediated(id, title, body string) Contract {
	return Contract{ID: id, Title: title, Guard: "own-fetch",
		Tools: []Tool{{Code: tries(body + "\nseen.code = await fetch(https + '/code').then(() => 'went', (e) => typeof e.code);")}},
		Steps: []Step{{Expect: pattern(`{"outcome":"ok","result":{"$all":[{"code":"string"},{"$every":{"$not":"went"}}]}}`)}}}
}

// once is a contract of one tool in one call.
func once(id, title, guard, code, expect string) Contract {
	return Contract{ID: id, Title: title, Guard: guard, Tools: []Tool{{Code: code}}, Steps: []Step{{Expect: pattern(expect)}}}
}

// again is a contract of one tool in two calls: what the first leaves behind must not touch the second. args has `second`.
func again(id, title, guard, code, first, second string) Contract {
	return Contract{ID: id, Title: title, Guard: guard, Tools: []Tool{{Code: code}}, Steps: []Step{
		{Expect: pattern(first)}, {Args: pattern(`{"second":true}`), Expect: pattern(second)}}}
}

// unguarded takes the guard from a contract and says why it has none.
func (c Contract) unguarded(reason string) Contract {
	c.Guard, c.Unguarded = "", reason
	return c
}

// drill is a contract about the frame's own window. body is the body of an async function.
func drill(id, title, guard, body, expect string) Contract {
	return Contract{ID: id, Title: title, Guard: guard, Drill: attempts + body, Tools: []Tool{{Code: "() => 1"}},
		Steps: []Step{{Expect: settled}, {Drill: true, Expect: pattern(expect)}}}
}

// guardedOn names the guard that keeps the promise on one host.
func (c Contract) guardedOn(h Host, guard string) Contract {
	c.GuardOn = map[Host]string{h: guard}
	return c
}

// bare says that an engine connects ahead of the verdict. In Chromium the header Connection-Allowlist, which a served page alone can
// have, keeps it from that.
func (c Contract) bare(places ...Place) Contract {
	c.Bare = map[Place]string{}
	for _, place := range places {
		c.Bare[place] = "the engine connects for a navigation before it asks the policy, and sends nothing"
	}
	return c
}

// except says that a contract is not judged on a host.
func (c Contract) except(h Host, r Result, reason string) Contract {
	return c.exceptAt(Place(h), r, reason)
}

// exceptIn says that a contract is not judged in a kind.
func (c Contract) exceptIn(k Kind, r Result, reason string) Contract {
	return c.exceptAt(Place(k), r, reason)
}

func (c Contract) exceptAt(p Place, r Result, reason string) Contract {
	all := map[Place]Exception{p: {r, reason}}
	for place, e := range c.Except {
		all[place] = e
	}
	c.Except = all
	return c
}
