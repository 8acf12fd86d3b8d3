package contracts

// consent is group G: what is promised of powers beyond the rows of the catalogue.
func consent() []Contract {
	const far = "https://api.example.com:{port}/{id}/says/echo"
	return []Contract{
		func() Contract {
			c := refused("G01", "Nothing is sent without the user's yes", "fetch-grant", []ask{row(far, "not_granted"), {far, `{"method":"POST","body":"x"}`, "not_granted"}})
			c.Steps[0] = c.Steps[0].permitted("deny").asked("fetch read https://api.example.com:{port}", "fetch write https://api.example.com:{port}")
			return withSteps(c, fetchStep([]ask{row(far, "not_granted")}).permitted("nonsense").asked("fetch read https://api.example.com:{port}"))
		}(),
		func() Contract {
			c := answered("G02", "A call makes so many requests and no more", "fetch-requests", []string{"GET /{id}/says/echo"}, append(same(200, far, far, far, far, far), row(far, "too_many")))
			c.Limits = map[string]int{"fetchRequests": 5}
			return c
		}(),
		{ID: "G04", Title: "The user is asked for nothing that a tool does not declare", Guard: "grant-need", Tools: []Tool{{Code: fetcher, More: pattern(`{"needs":{"fetch":[{"origin":"https://other.example.com","access":"read"}]}}`)}},
			Steps: []Step{fetchStep(same(map[string]any{"$in": []any{"need", "undeclared"}}, far)).asked()}},
		Contract{ID: "G05", Title: "Each request is asked of the network, and nothing that came is kept", Guard: "fetch-no-store", Hears: []string{"GET /{id}/says/count"}, Tools: []Tool{anyTool(`async ({ at }, { fetch }) => {
  const seen = new Set();
  for (const cache of ['default', 'force-cache', 'default']) seen.add(await (await fetch(at, { cache })).text());
  return seen.size;
}`)}, Steps: []Step{{Args: pattern(`{"at":"https://api.example.com:{port}/G05/says/count"}`), Expect: pattern(`{"outcome":"ok","result":3}`)}}}.
			except(Chromium, NotObservable, "the engine keeps nothing from a server whose certificate it was told to overlook, whatever a request says"),
		{ID: "G03", Title: "A key that was sent comes back to no tool, log, error or record", Guard: "secret-scrub", Hears: []string{"OPTIONS /{id}/says/echo", "GET /{id}/says/echo with authorization"},
			Tools: []Tool{{Code: `async ({ at }, { fetch, secrets }) => {
  const response = await fetch(at, { headers: { authorization: 'Bearer ' + secrets.key } });
  const body = await response.text();
  console.log(body);
  return { placeholder: secrets.key, header: response.headers.get('x-echo'), body, bytes: new TextEncoder().encode(body) };
}`, More: pattern(`{"needs":{"fetch":[{"origin":"*","access":"write"}],"secrets":["key"]}}`)}},
			Steps: []Step{{Probe: "secret", Args: pattern(`{"name":"key","value":"sk-0123456789abcdef","origins":["https://api.example.com:{port}"]}`), Expect: pattern(`{"set":true}`)},
				{Args: pattern(`{"at":"` + far + `"}`), Expect: pattern(`{"$all":[{"outcome":"ok","result":{"header":"Bearer [secret key]","body":{"$re":"Bearer .secret key"}}},{"$text":{"$not":{"$re":"0123456789abcdef"}}}]}`)}}},
	}
}
