package contracts

// requests is the second part of group F: what a tool may send, and on whose behalf.
func requests() []Contract {
	const far = "https://api.example.com:{port}/{id}/says/echo"
	with := func(want any, inits ...string) (list []ask) {
		for _, init := range inits {
			list = append(list, ask{far, init, want})
		}
		return list
	}
	header := func(name, value string) string { return `{"headers":[["` + name + `","` + value + `"]]}` }
	headers := func(value string, names ...string) (inits []string) {
		for _, name := range names {
			inits = append(inits, header(name, value))
		}
		return inits
	}
	heard := []string{"GET /{id}/says/echo"}
	foreseen := func(c Contract) Contract {
		c.Hears = heard
		c.Steps = append([]Step{fetchStep([]ask{row(far, 200)})}, c.Steps...)
		return c
	}

	all := []Contract{
		func() Contract {
			c := refused("F18", "What a method does decides what the user is asked, however it is written", "policy-class", with("not_granted",
				`{"method":"post"}`, `{"method":"PATCH"}`, `{"method":"patch"}`, `{"method":"DELETE"}`, `{"method":"BREW"}`, `{"method":"get"}`, `{"method":"HEAD"}`, `{"method":"OPTIONS"}`),
				with("TypeError", `{"method":"CONNECT"}`, `{"method":"trace"}`, `{"method":"TRACK"}`, `{"method":"GET\r\nX: y"}`, `{"method":""}`, `{"method":"a b"}`))
			c.Steps[0] = c.Steps[0].permitted("deny").asked("fetch write https://api.example.com:{port}", "fetch read https://api.example.com:{port}")
			return c
		}(),
		refused("F19", "A request that reads sends nothing", "policy-body", with(map[string]any{"$in": []any{"body", "TypeError"}}, `{"method":"OPTIONS","body":"secret"}`, `{"method":"GET","body":"secret"}`, `{"method":"HEAD","body":"secret"}`)),
		refused("F20", "No header turns one method into another", "policy-header", with("header", headers("DELETE", "X-HTTP-Method", "x-http-method-override", "X-Method-Override", "X-HTTP-Method-Whatever", "x_http_method_override")...)),
		refused("F21", "No header smuggles a line", "policy-header", with("header", headers("a\\u0001b", "X-A")[0], headers("a\\u007fb", "X-A")[0], headers("\\u00e9", "X-A")[0]),
			with("TypeError", headers("a\\r\\nX-B: c", "X-A")[0], headers("a\\nb", "X-A")[0], headers("a\\u0000b", "X-A")[0], headers("\\u0416", "X-A")[0], header("X A", "b"), header("", "b"), header("X:A", "b"), header("X\\r\\nB", "c"))),
		refused("F22", "A header that is not a tool's to set is refused and never dropped in silence", "policy-header", with("header", headers("x", "Host", "COOKIE", "Cookie2", "Content-Length", "Connection", "Origin",
			"Referer", "Set-Cookie", "TE", "Transfer-Encoding", "Upgrade", "Via", "Accept-Encoding", "Proxy-Authorization", "Sec-Fetch-Site", "Access-Control-Request-Method",
			"X-aws-ec2-metadata-token", "Metadata-Flavor", "X-Original-URL", "Service-Worker", "X-Taskyon-Task")...)),
		func() Contract {
			c := foreseen(refused("F23", "A request with credentials of the tool's is another question, which names them", "grant-credentials",
				with("not_granted", headers("mine", "Authorization", "x-api-key", "X_Auth_Token")...)))
			c.Steps[0] = c.Steps[0].asked("fetch read https://api.example.com:{port}")
			c.Steps[1] = c.Steps[1].permitted("deny")
			c.Steps[1].Expect = object(map[string]any{"$all": []any{c.Steps[1].Expect, map[string]any{"asked": []any{map[string]any{"text": "fetch read https://api.example.com:{port} authorization"}}}}})
			return c
		}(),
		refused("F24", "A tool does not say who is asking", "policy-header", with("header", headers("127.0.0.1", "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "Client-IP")...)),
		{ID: "F25", Title: "The headers of a request are bounded in number and size", Guard: "policy-header", Tools: []Tool{anyTool(`async ({ at }, { fetch }) => {
  const seen = [];
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => ['x-' + i, '1']));
  for (const headers of [many, { 'x-a': 'y'.repeat(9 << 10) }, { ['x-' + 'a'.repeat(200)]: 'y' }])
    try { seen.push((await fetch(at, { headers })).status) } catch (e) { seen.push(e.code ?? e.name) }
  return seen;
}`)}, Steps: []Step{{Args: pattern(`{"at":"` + far + `"}`), Expect: pattern(`{"outcome":"ok","result":["header","header","header"]}`)}}},
		answered("F26", "What a tool says of cookies, caches and pages changes nothing: the host decides", "fetch-referrer", heard, rows(
			with(200, `{"credentials":"same-origin"}`, `{"cache":"force-cache"}`, `{"referrerPolicy":"unsafe-url"}`, `{"priority":"high","duplex":"half"}`, `{"targetAddressSpace":"local","attributionReporting":{},"browsingTopics":true}`),
			with("TypeError", `{"credentials":"include"}`, `{"mode":"no-cors"}`, `{"mode":"navigate"}`, `{"keepalive":true}`, `{"integrity":"sha256-x"}`, `{"window":1}`, `{"referrer":"https://api.example.com/"}`))),
		{ID: "F27", Title: "An address is read once", Unguarded: "only text crosses the border: there is nothing that could be read twice", Hears: heard, Tools: []Tool{anyTool(`async ({ at, port }, { fetch }) => {
  let reads = 0;
  const turning = { toString: () => (reads++ === 0 ? at : 'https://127.0.0.1:' + port + '/F27/second') };
  const { status } = await fetch(turning);
  class Own extends Request { get url() { return 'https://127.0.0.1:' + port + '/F27/second' } }
  return [status, reads, (await fetch(new Own(at))).status];
}`)}, Steps: []Step{{Args: pattern(`{"at":"` + far + `"}`), Expect: pattern(`{"outcome":"ok","result":[200,1,200]}`)}}},
		func() Contract {
			c := foreseen(refused("F28", "Who was allowed to read is not allowed to write", "policy-class", with("not_granted", `{"method":"POST","body":"secret"}`, `{"method":"DELETE"}`)))
			c.Steps[1] = c.Steps[1].permitted("deny").asked("fetch write https://api.example.com:{port}")
			return c
		}(),
		func() Contract {
			c := foreseen(refused("F29", "What one tool was allowed does not help another, which asks for what it declares and nothing else", "policy-need", with("need", `{}`, `{"method":"POST"}`)))
			c.Tools = append(c.Tools, Tool{Code: "/* another */ " + fetcher}, Tool{Code: "/* a third */ " + fetcher, More: pattern(`{"needs":{"fetch":[{"origin":"https://other.example.com","access":"read"}]}}`)})
			c.Steps[1] = c.Steps[1].of(1).asked()
			return withSteps(c, fetchStep(with("need", `{}`)).of(2).asked())
		}(),
		func() Contract {
			c := foreseen(refused("F30", "What was taken back ends, and holds for no further request", "grant-revoked", with("not_granted", `{}`)))
			c.Hears = append([]string{"GET /{id}/says/seconds", "cut GET /{id}/says/seconds"}, heard...)
			underway := fetchStep([]ask{row("https://api.example.com:{port}/{id}/says/seconds", "aborted")})
			underway.Beside = true
			c.Steps = []Step{c.Steps[0], underway, {Probe: "rest", Args: pattern(`{"ms":500}`), Expect: pattern(`{"rested":true}`)}, {Probe: "revoke", Expect: pattern(`{"revoked":1}`)}, c.Steps[1].permitted("deny").asked("fetch read https://api.example.com:{port}")}
			return c
		}(),
		func() Contract {
			c := answered("F31", "Where the user is logged in a tool is not", "fetch-omit", []string{"GET /F31/says/login( with .*)?", "GET /F31/says/login\\?again with cookie(, .*)?", "GET /F31/says/echo"}, []ask{row(far, 200)})
			c = c.except(WebKit, NotObservable, "the engine sends no cookies of another site, with credentials or without")
			c.Steps = append([]Step{{Probe: "login", Args: pattern(`{"url":"https://api.example.com:{port}/F31/says/login"}`), Expect: pattern(`{"done":true}`)}}, c.Steps...)
			return c
		}(),
		{ID: "F32", Title: "What a server wants to be kept or done is not, and is not told to the tool", Guard: "policy-hidden", Hears: []string{"GET /F32/says/state", "GET /F32/says/echo"}, Tools: []Tool{anyTool(`async ({ at }, { fetch }) => {
  const { headers } = await fetch(at + 'state');
  const { cookie } = await (await fetch(at + 'echo')).json();
  return { own: headers.get('X-OWN'), twice: headers.get('x-twice'), latin: headers.get('x-latin'), cookie, hidden: ['set-cookie', 'clear-site-data', 'alt-svc', 'connection', 'keep-alive', 'proxy-status'].filter((name) => headers.has(name)) };
}`)}, Steps: []Step{{Args: pattern(`{"at":"https://api.example.com:{port}/F32/says/"}`), Expect: pattern(`{"outcome":"ok","result":{"own":"kept","twice":"1, 2","latin":{"$re":"^caf"},"hidden":[],"cookie":{"$absent":true}}}`)}}},
		refused("F34", "The application's own hosts are out of reach, at any port", "policy-self", same(notPublic, "https://127.0.0.1:{port}/{id}/says/echo", "https://127.0.0.1:8443/", "https://127.0.0.1/")),
		func() Contract {
			echoes := `async ({ at }, { fetch, secrets }) => {
  const told = async (host, headers) => { try { const r = await fetch('https://' + host + at, { headers }); return [r.status, await r.json().then(({ authorization }) => authorization)] } catch (e) { return e.code ?? e.name } };
  return [await told('other.example.com', { authorization: 'Bearer ' + secrets.key }), await told('api.example.com', {})];
}`
			return Contract{ID: "F35", Title: "A key goes to the origins it was set for, and to no other, and to none that it was not asked for", Guard: "secret-origin", Hears: heard,
				Tools: []Tool{{Code: echoes, More: pattern(`{"needs":{"fetch":[{"origin":"*","access":"write"}],"secrets":["key"]}}`)}},
				Steps: []Step{{Probe: "secret", Args: pattern(`{"name":"key","value":"sk-0123456789abcdef","origins":["https://api.example.com:{port}"]}`), Expect: pattern(`{"set":true}`)},
					{Args: pattern(`{"at":":{port}/F35/says/echo"}`), Expect: pattern(`{"outcome":"ok","result":["secret_misplaced",[200,{"$not":{"$re":"sk"}}]]}`)}}}
		}(),
		refused("F62", "A page of this machine opens this machine to no tool", "policy-name", same("host_name", "https://localhost:{port}/{id}/says/echo", "https://x.localhost:{port}/{id}/says/echo"),
			same(notPublic, "https://127.0.0.1:{port}/{id}/says/echo"), same("address", "https://[::1]:{port}/{id}/says/echo")),
	}
	return all
}

func withSteps(c Contract, more ...Step) Contract {
	c.Steps = append(c.Steps, more...)
	return c
}
