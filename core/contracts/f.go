package contracts

// What a tool names is put into the one form of URLs before it leaves the sandbox, so a browser's reasons are those of what is left.

// addresses is the first part of group F: which addresses a tool may ask for.
func addresses() []Contract {
	const far = "https://api.example.com:{port}/{id}/says/echo"
	at := func(hosts ...string) (urls []string) {
		for _, host := range hosts {
			urls = append(urls, "https://"+host+":{port}/{id}/says/echo")
		}
		return urls
	}
	return []Contract{
		refused("F01", "A tool reaches no address but one of https", "policy-scheme", same("scheme",
			"http://api.example.com:{port}/{id}/says/echo", "ws://api.example.com:{port}/", "wss://api.example.com:{port}/", "ftp://api.example.com/", "file:///etc/passwd",
			"data:text/plain,x", "blob:https://api.example.com/00000000-0000-0000-0000-000000000000", "javascript:alert(1)", "about:blank", "view-source:https://api.example.com/",
			"chrome-extension://abcdefghijklmnop/x", "moz-extension://x/y", "resource://gre/", "filesystem:https://api.example.com/x", "HTTP://api.example.com:{port}/")),
		refused("F02", "An address that names a user is refused, however empty or encoded the name is", "", same(map[string]any{"$in": []any{"credentials", "TypeError"}},
			"https://user@api.example.com:{port}/{id}/x", "https://user:word@api.example.com:{port}/{id}/x", "https://user%40x@api.example.com:{port}/{id}/x",
			"https://api.example.com@127.0.0.1:{port}/{id}/x"), same("TypeError", "https://@", "https://:@")).
			unguarded("the runtime, the policy and the browser each refuse: no one of them can be turned off alone to break it"),
		refused("F03", "This machine and its network are out of reach, however an IPv4 address is written", "policy-address", same(notPublic,
			at("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "00000000000000000000177.1", "127.0.0.1.", "0x7f.1", "127.0.0.2")...), same("address",
			at("0", "3232235521", "0300.0250.0.1", "169.254.43518", "0251.0376.0251.0376", "10.0.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1",
				"192.0.2.1", "198.51.100.7", "203.0.113.9", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255")...),
			same(map[string]any{"$in": []any{"TypeError", "address"}}, at("0x", "1.2.3.4.5", "256.0.0.1", "a.b.c.1", "foo.0x7f")...)),
		refused("F04", "Letters that look or count like others hide no address and no name", "policy-address", same(notPublic,
			at("１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1", "127.0.0\u00ad.1")...), same("host_name", at("ⓛocalhost", "local\u00adhost", "ＬＯＣＡＬＨＯＳＴ")...)),
		refused("F05", "Percent signs hide no host", "policy-address", same(notPublic, at("%31%32%37.0.0.1", "127%2e0.0.1")...),
			same("host_name", at("%6cocalhost", "x.localhos%74")...), same("TypeError", at("api.example.com%00.example.net", "api%2fexample.com", "api%zz.example.com")...)),
		withSteps(refused("F06", "An IPv4 address inside an IPv6 one is judged as what it is", "policy-address", same("address",
			at("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::]",
				"[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2606:4700::5efe:7f00:1]", "[2606:4700::200:5efe:7f00:1]")...)),
			fetchStep(same("not_granted", at("[2606:4700::1111]")...)).permitted("deny").asked("fetch read https://[2606:4700::1111]:{port}")),
		refused("F07", "An address has no zone", "", same("TypeError", at("[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%25lo]", "[1.2.3.4]", "[example.com]")...)).
			unguarded("the parser of the engine refuses before anything of ours is asked; the policy's own refusal is tested natively"),
		refused("F08", "Of IPv6 only what is public is in reach", "policy-address", same("address",
			at("[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[fe80::1]", "[fec0::1]", "[fd00:ec2::254]", "[fc00::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[4000::1]")...)),
		refused("F09", "Names of this machine are refused in any spelling", "policy-name", same("host_name",
			at("localhost", "LOCALHOST", "localhost.", "a.b.localhost", "x.localhost.", "localhost.localdomain", "x.localdomain", "ip6-localhost", "ip6-loopback", "broadcasthost")...)),
		refused("F10", "Names of private networks and names that are no public ones are refused", "policy-form", same("host_name",
			at("printer.local", "db.internal", "nas.home.arpa", "x.lan", "x.intranet", "x.corp", "x.home", "x.private", "x.onion", "x.test", "x.invalid", "x.example", "1.0.0.127.in-addr.arpa",
				"router.fritz.box", "127.0.0.1.nip.io", "x.localtest.me", "wpad.example.com")...), same("host_form", at("intranet", "api..example.com", ".example.com", "api.example.com.", "-x.example.com")...)),
		refused("F11", "What clouds tell their machines is out of reach", "policy-name", same("host_name",
			at("metadata.google.internal", "metadata.goog", "instance-data.ec2.internal", "metadata.azure.internal", "metadata.oraclevcn.com", "metadata.tencentyun.com", "kubernetes.default",
				"x.svc", "x.cluster.local", "host.docker.internal", "gateway.docker.internal", "host.containers.internal")...), same("address",
			at("169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "169.254.0.23", "169.254.42.42", "[fd00:ec2::254]", "[fd00:ec2::23]", "[fe80::a9fe:a9fe]")...)),
		refused("F12", "What a parser repairs is judged as what it becomes", "policy-name", same("host_name",
			"https:localhost:{port}/{id}/says/echo", "https:/localhost:{port}/{id}/says/echo", "https:///localhost:{port}/{id}/says/echo", `https:\\localhost:{port}\{id}\says\echo`, "https://local\thost:{port}/{id}/says/echo",
			"https://local\r\nhost:{port}/{id}/says/echo", " https://localhost:{port}/{id}/says/echo", "\u0001https://localhost:{port}/{id}/says/echo\u0002", `https://localhost:{port}\@api.example.com/`),
			same(map[string]any{"$in": []any{"TypeError", "raw_form"}}, "//localhost/", "https://", "https://local host/", "localhost", "")),
		answered("F13", "An address leads to one host, whoever reads it", "policy-address", []string{`GET /@127\.0\.0\.1/`, `GET /\?@127\.0\.0\.1/`, `GET /`, `GET /%2[fF]@127\.0\.0\.1/`},
			rows(same(notPublic, `https://127.0.0.1:{port}\@api.example.com/`, "https://127.0.0.1:{port}#@api.example.com/", "https://127.0.0.1:{port}?@api.example.com/", "https://127.0.0.1:{port}/@api.example.com/"),
				same(unread, `https://api.example.com:{port}\@127.0.0.1/`, "https://api.example.com:{port}#@127.0.0.1/", "https://api.example.com:{port}?@127.0.0.1/", "https://api.example.com:{port}/%2f@127.0.0.1/"))),
		refused("F14", "Ports of other protocols are refused", "policy-port", same("port", "https://api.example.com:0/", "https://api.example.com:22/", "https://api.example.com:25/", "https://api.example.com:587/",
			"https://api.example.com:6000/", "https://api.example.com:6667/", "https://api.example.com:10080/", "https://api.example.com:0025/"),
			same("TypeError", "https://api.example.com:２５/", "https://api.example.com:65536/", "https://api.example.com:+443/", "https://api.example.com:x/")),
		func() Contract {
			c := answered("F15", "A name that looks like an allowed one is another one, and the user is shown which", "grant-scope", []string{"GET /F15/says/echo"}, []ask{row(far, 200)})
			c.Steps[0] = c.Steps[0].asked("fetch read https://api.example.com:{port}")
			alike := fetchStep(rows(same("not_granted", at("аpi.example.com", "XN--PI-6KC.example.com")...), same(map[string]any{"$in": []any{"TypeError", "host_form"}}, at("xn--a.example.com", "xn--.example.com")...)))
			c.Steps = append(c.Steps, alike.permitted("deny").asked("fetch read https://xn--pi-6kc.example.com:{port}"))
			return c
		}(),
		func() Contract {
			c := answered("F16", "What was allowed for one origin is allowed for no other", "grant-scope", []string{"GET /F16/says/echo"}, []ask{row(far, 200)})
			others := fetchStep(rows(same("not_granted", at("sub.api.example.com", "other.example.com", "api.example.com.example.net", "api.example.net")...), []ask{row("https://api.example.com:8443/", "not_granted"),
				row("http://api.example.com:{port}/{id}/says/echo", "scheme"), row("https://api.example.com.:{port}/{id}/says/echo", "host_form"), row("https://API.EXAMPLE.COM:{port}/{id}/says/echo", 200)}))
			c.Steps = append(c.Steps, others.permitted("deny").asked("fetch read https://sub.api.example.com:{port}", "fetch read https://other.example.com:{port}",
				"fetch read https://api.example.com.example.net:{port}", "fetch read https://api.example.net:{port}", "fetch read https://api.example.com:8443"))
			return c
		}(),
		{ID: "F17", Title: "An address is bounded, and its fragment stays here", Guard: "policy-raw", Hears: []string{"GET /F17/says/echo"}, Tools: []Tool{anyTool(`async ({ at }, { fetch }) => {
  const seen = [];
  for (const url of [at + '?' + 'x'.repeat(64 << 10), at + '?' + 'a&'.repeat(1e5), at + '/%zz', at + '#' + 'secret'.repeat(100)])
    try { seen.push((await fetch(url)).status) } catch (e) { seen.push(e.code ?? e.name) }
  return seen;
}`)}, Steps: []Step{{Args: pattern(`{"at":"` + far + `"}`), Expect: pattern(`{"outcome":"ok","result":["raw_form","raw_form","raw_form",200]}`)}}},
	}
}

// notPublic is a host that is the page's own too, in a page of this machine.
var notPublic = map[string]any{"$in": []any{"address", "self"}}

// unread is an answer that the page may not read: that it was asked for is what counts.
var unread = map[string]any{"$in": []any{200, "network"}}
