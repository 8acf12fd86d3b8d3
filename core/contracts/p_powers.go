package contracts

// asks are the contracts of groups N, P and D about what a tool asks of the host: the powers of one call, of one revision, under the user's eyes.
func asks() []Contract {
	const told = "const told = (p) => p.then(() => 'went', (e) => e.code);\n"
	const far = "https://api.example.com:{port}/{id}/says/echo"
	const question = "fetch read https://api.example.com:{port}"
	one := []ask{row(far, 200)}
	refusal := fetchStep([]ask{row(far, "not_granted")}).permitted("deny").asked(question)
	makes := pattern(`{"needs":{"subtasks":true,"fetch":[{"origin":"*","access":"write"}]}}`)
	heard := []string{"GET /{id}/says/echo"}

	return []Contract{
		func() Contract {
			c := answered("N37", "What is looked up tells nothing: another name is another origin, for which the user is asked first", "grant-scope", heard, one)
			return withSteps(c, fetchStep(same("not_granted", "https://other.example.com:{port}/", "https://sub.api.example.com:{port}/")).permitted("deny").
				asked("fetch read https://other.example.com:{port}", "fetch read https://sub.api.example.com:{port}"))
		}(),
		func() Contract {
			c := answered("N38", "What a tool sends where it may is written down, with its size", "audit-kept", []string{`GET /{id}/says/echo\?secret`, "OPTIONS /{id}/says/echo|POST /{id}/says/echo"},
				[]ask{row(far+"?secret", 200), {far, `{"method":"POST","body":"0123456789"}`, 200}})
			return withSteps(c, Step{Probe: "audit", Expect: pattern(`{"$all":[{"$length":2},{"$some":{"capability":"fetch","decision":"allowed","scope":"https://api.example.com:{port}","class":"write","sent":true,"bytesOut":10}}]}`)})
		}(),
		once("N39", "What a tool wants to be done next is bounded, and is no word of the user", "ask-bounds", `async ({ url }, { createSubtasksResult }) => {
`+told+`const draft = (text, role = 'assistant') => ({ role, content: { message: text } });
return [await told(createSubtasksResult(Array.from({ length: 2000 }, () => draft('secret '.repeat(200))))), await told(createSubtasksResult([draft('secret ' + url, 'user')])), await told(createSubtasksResult([draft('x', 'system')]))];
}`, `{"outcome":"ok","result":["too_large","invalid_draft","invalid_draft"]}`).needing(`{"subtasks":true}`),
		func() Contract {
			c := Contract{ID: "P22", Title: "A yes that comes when its call has ended sends nothing and allows nothing", Guard: "prompt-void", Tools: []Tool{anyTool(fetcher)}}
			warm := fetchStep(same("scheme", "http://api.example.com/"))
			late := fetchStep(one).permitted("late")
			late.AbortMs, late.Expect = 250, pattern(`{"outcome":"aborted","asked":[{"text":"`+question+`"}]}`)
			return withSteps(c, warm, late, Step{Probe: "rest", Args: pattern(`{"ms":600}`), Expect: pattern(`{"rested":true}`)}, refusal)
		}(),
		func() Contract {
			c := answered("P24", "What one revision was allowed no other is, whatever both are called", "grant-revision", heard, one)
			c.Tools = append(c.Tools, Tool{Code: "/* its next */ " + fetcher, More: pattern(`{"name":"P24-0","needs":{"fetch":[{"origin":"*","access":"write"}]}}`)})
			c.Steps[0] = c.Steps[0].asked(question)
			return withSteps(c, refusal.of(1), fetchStep(one).asked())
		}(),
		{ID: "P26", Title: "A caller who gives up is answered at once, and what was asked for is given up too", Guard: "fetch-cancel", Hears: []string{"GET /P26/says/seconds", "cut GET /P26/says/seconds"},
			Tools: []Tool{anyTool("async ({ at }, { fetch }) => { if (!at) return 'alive'; await (await fetch(at)).text(); await new Promise(() => {}) }")},
			Steps: []Step{{Expect: pattern(`{"outcome":"ok","result":"alive"}`)}, {AbortMs: 700, Args: pattern(`{"at":"https://api.example.com:{port}/P26/says/seconds"}`), WithinMs: 1400, Expect: pattern(`{"outcome":"aborted","started":true}`)},
				{Expect: pattern(`{"outcome":"ok","result":"alive"}`)}, {Probe: "rest", Args: pattern(`{"ms":1800}`), Expect: pattern(`{"rested":true}`)}}},
		once("P41", "A call makes so many tasks and no more, none of them twice, and none without declaring it", "subtask-count", `async ({ tool }, { createSubtasksResult }) => {
`+told+`const draft = (i) => ({ role: 'assistant', content: { message: 'subtask ' + i } });
const cyclic = []; cyclic.push(cyclic);
return [await told(createSubtasksResult(Array.from({ length: 65 }, (_, i) => draft(i)))), await told(createSubtasksResult(cyclic)), await told(createSubtasksResult([draft(0)]))];
}`, `{"outcome":"ok","result":["too_large","invalid_value","went"],"subtasks":{"$length":1}}`).needing(`{"subtasks":true}`).
			also(Tool{Code: "async (_, { createSubtasksResult }) => createSubtasksResult([]).then(() => 'went', (e) => e.code)"}, Step{Tool: 1, Expect: pattern(`{"outcome":"ok","result":"denied"}`)}),
		{ID: "P42", Title: "A name means one revision when it is asked for, and the task runs that one", Unguarded: "a task names its revision by a hash: there is no name left that could be looked up again",
			Tools: []Tool{{Code: `async ({ names }, { resolveInvocation }) => {
` + told + `const found = await resolveInvocation('P42-1');
return [/^tool:b3:[0-9a-f]{64}$/.test(found.tool), Object.keys(found), ...await Promise.all(names.map((name) => told(resolveInvocation(name))))];
}`}, {Code: "() => 'other'"}}, Steps: []Step{
				{Args: pattern(`{"names":["nobody","__proto__","../x",""]}`), Beside: true, Expect: pattern(`{"outcome":"ok","result":[true,["tool"],{"$not":"went"},{"$not":"went"},{"$not":"went"},{"$not":"went"}]}`)},
				{Tool: 1, Expect: pattern(`{"outcome":"ok","result":"other"}`)}}},
		func() Contract {
			c := answered("P43", "Who knows a tool that may do more, and makes a task for it, may do no more itself", "grant-revision", heard, one)
			c.Tools = append(c.Tools, Tool{More: makes, Code: `async ({ asks }, { fetch, resolveInvocation, createSubtasksResult }) => {
  const { tool } = await resolveInvocation('P43-0');
  const [made] = await createSubtasksResult([{ role: 'function', content: { functionCall: { name: 'P43-0', arguments: { asks }, tool } } }]);
  const seen = [];
  for (const ask of asks) try { seen.push((await fetch(ask)).status) } catch (e) { seen.push(e.code) }
  return [made.content.functionCall.tool === tool, ...seen];
}`})
			step := refusal.of(1)
			step.Expect = object(map[string]any{"outcome": "ok", "result": []any{true, "not_granted"}, "subtasks": map[string]int{"$length": 1}, "asked": []any{map[string]string{"text": question}}})
			return withSteps(c, step)
		}(),
		{ID: "D16", Title: "A tool that asks again and again puts one question at a time, and after some noes none", Guard: "prompt-queue", Tools: []Tool{anyTool(`async ({ port }, { fetch }) => {
  const seen = {};
  await Promise.all(Array.from({ length: 80 }, (_, i) => fetch('https://x' + i + '.example.com:' + port + '/').catch(({ code }) => { seen[code] = (seen[code] ?? 0) + 1 })));
  return seen;
}`)}, Steps: []Step{{Permission: "deny", Expect: pattern(`{"$all":[{"outcome":"ok","result":{"not_granted":{"$lte":14},"too_many_prompts":{"$gte":66}}},{"asked":{"$length":{"$lte":14}}},{"asked":{"$every":{"open":1}}}]}`)}}},
	}
}

func (c Contract) needing(needs string) Contract {
	c.Tools[0].More = pattern(`{"needs":` + needs + `}`)
	return c
}

func (c Contract) also(t Tool, s Step) Contract {
	c.Tools, c.Steps = append(c.Tools, t), append(c.Steps, s)
	return c
}
