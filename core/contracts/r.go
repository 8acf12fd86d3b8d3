package contracts

// responses is group R: what a server answers with reaches a tool as data, within bounds, or not at all.
func responses() []Contract {
	says := func(what string) string { return "https://api.example.com:{port}/{id}/says/" + what }
	heard := func(what ...string) (lines []string) {
		for _, one := range what {
			lines = append(lines, "GET /{id}/says/"+one)
		}
		return lines
	}
	all := func(want any, what ...string) (list []ask) {
		for _, one := range what {
			list = append(list, row(says(one), want))
		}
		return list
	}
	redirects := []string{"301", "302", "303", "307", "308"}
	leading := func(to string) (list []ask) {
		for _, one := range redirects {
			list = append(list, row(says(one)+"?to="+to, "redirect_blocked"))
		}
		return list
	}
	led := func() (lines []string) {
		for _, one := range redirects {
			lines = append(lines, `GET /{id}/says/`+one+`\?to=.*`)
		}
		return lines
	}()
	limited := func(c Contract, limits map[string]int) Contract {
		c.Limits = limits
		return c
	}
	either := func(words ...any) any { return map[string]any{"$in": words} }

	return []Contract{
		answered("R01", "No redirect is followed, wherever it leads", "fetch-redirect", append(led, `POST /{id}/says/307\?to=.*`), rows(
			leading("/{id}/second"), leading("https://other.example.com:{port}/{id}/second"), leading("https://127.0.0.1:{port}/{id}/second"), leading("http://169.254.169.254/"),
			leading("data:text/plain,x"), []ask{{says("307") + "?to=/{id}/second", `{"method":"POST","body":"x"}`, "redirect_blocked"}})),
		answered("R02", "Whatever a tool says of redirects, it is told that there was one, and never a status of 0", "fetch-redirect", led[1:2], []ask{
			{says("302") + "?to=/{id}/second", `{"redirect":"follow"}`, "redirect_blocked"}, {says("302") + "?to=/{id}/second", `{"redirect":"manual"}`, "redirect_blocked"},
			{says("302") + "?to=/{id}/second", `{"redirect":"error"}`, "redirect_blocked"}}),
		{ID: "R03", Title: "What a page says in its text or headers is data, and leads nowhere", Unguarded: "an answer is bytes to a tool: there is nobody who could show it", Hears: heard("html"), Tools: []Tool{anyTool(`async ({ at }, { fetch }) => {
  const response = await fetch(at);
  const text = await response.text();
  await new Promise((done) => setTimeout(done, 300));
  return [response.status, response.url, text.includes('http-equiv="refresh"')];
}`)}, Steps: []Step{{Args: object(map[string]string{"at": says("html")}), Expect: object(map[string]any{"outcome": "ok", "result": []any{200, says("html"), true}})}}},
		answered("R04", "A status is told as it is, and a server that asks to log in asks nobody", "fetch-redirect", append(heard("401", "204", "205", "304", "300", "407"), redirected("{id}")...), rows(
			all(401, "401"), all(204, "204"), all(205, "205"), all(either(304, "network"), "304"), all("redirect_blocked", "300", "301", "302", "307"), all(either(407, "network"), "407"))),
		limited(answered("R05", "An answer that unpacks to more than its bound is given up", "fetch-bytes", heard("gzip", "br", "chunked", "mib", "above"), rows(
			all("too_large", "gzip", "br", "chunked", "above"), all(200, "mib"))), map[string]int{"fetchBytes": 1 << 20}),
		limited(answered("R06", "A length that lies is not believed", "fetch-bytes", heard("short", "long", "negative", "huge"), rows(
			all("too_large", "short"), all(either("network", 200), "long", "negative", "huge"))), map[string]int{"fetchBytes": 1 << 20}),
		limited(answered("R07", "A server that takes its time has no more than a request has", "fetch-time", heard("silent", "header", "slow"), all("timeout", "silent", "header", "slow")), map[string]int{"fetchMs": 500, "wallMs": 12_000}),
		limited(answered("R08", "A stream without end ends", "fetch-time", heard("events"), all("timeout", "events")), map[string]int{"fetchMs": 700, "wallMs": 12_000}),
		answered("R09", "Headers without end are not taken", "", heard("headers"), all(either("network", "too_large"), "headers")).
			unguarded("the browser bounds the headers that it takes: there is nothing of ours in front of it"),
		{ID: "R10", Title: "Text is UTF-8 whatever its server says, and bytes are what they were", Unguarded: "texts are decoded by the engine's own decoder: there is nothing that could be turned off", Hears: heard("latin", "lone"), Tools: []Tool{anyTool(`async ({ latin, lone }, { fetch }) => [
  [...new Uint8Array(await (await fetch(latin)).arrayBuffer())], await (await fetch(latin)).text(), Object.keys(await (await fetch(lone)).json()).length,
]`)}, Steps: []Step{{Args: object(map[string]string{"latin": says("latin"), "lone": says("lone")}), Expect: pattern(`{"outcome":"ok","result":[[239,187,191,97,255,195,169],"a�é",2]}`)}}},
		{ID: "R11", Title: "A page is no JSON, and nothing of it is loaded", Unguarded: "an answer is bytes to a tool: there is nobody who could show it", Hears: heard("html"), Tools: []Tool{anyTool(`async ({ at }, { fetch }) => {
  const wrong = await (await fetch(at)).json().then(() => 'went', (e) => e.name);
  await new Promise((done) => setTimeout(done, 200));
  return wrong;
}`)}, Steps: []Step{{Args: object(map[string]string{"at": says("html")}), Expect: pattern(`{"outcome":"ok","result":"SyntaxError"}`)}}},
		answered("R12", "An answer that breaks off is an error and no short answer", "", heard("reset", "broken", "early"), rows(all("network", "reset", "broken"), all(either(200, "network"), "early"))).
			unguarded("the browser tells a broken answer from a whole one: there is nothing of ours in front of it").
			except(WebKit, NotApplicable, "not promised here: the engine takes an answer whose connection was closed too early for a whole one"),
		refused("R26", "Addresses that mean this machine by meaning none are refused", "policy-address", same("address", "https://0.0.0.0:{port}/{id}/says/echo", "https://0:{port}/{id}/says/echo", "https://[::]:{port}/{id}/says/echo", "https://0.1:{port}/{id}/says/echo")),
		refused("R27", "An address that only looks public is refused", "policy-address", same("address", "https://168.63.129.16:{port}/{id}/", "https://192.88.99.1/", "https://192.31.196.1/")),
	}
}

// redirected are the lines of redirects that lead nowhere.
func redirected(id string) []string {
	return []string{"GET /" + id + "/says/301", "GET /" + id + "/says/302", "GET /" + id + "/says/307"}
}
