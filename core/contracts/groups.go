package contracts

import "slices"

// groups lists the contracts letter by letter.
func groups() [][]Contract {
	return [][]Contract{network(), frameNetwork(), separation(), integrity(), words(), calls(), asks(), service(), addresses(), requests(), responses(), windows(), consent(), served()}
}

// absent lists the rows of the threat catalogue's groups N, S, B, P, D, F, R and W that are no contracts in a browser today.
func absent() []Absent {
	var all []Absent
	for _, a := range []struct {
		reason string
		ids    []string
	}{
		{"Python in the browser is not there yet", []string{"N13", "N14", "N15", "N16", "N17", "S18", "B14", "B15"}},
		{"about windows that functions of the application open, no tool in a sandbox has one: specs of their own judge them", []string{"N22", "D17", "W01", "W02", "W03", "W04", "W05", "W06", "W07", "W08", "W09", "W10", "W12", "W13", "W14", "W15", "W16", "W17", "W18"}},
		{"a page sees no addresses: what a name leads to is the proxy's to judge, which is no browser", []string{"F63", "R13", "R14", "R15", "R16", "R17", "R18", "R19"}},
		{"about the fetch proxy, a program of its own and no browser", []string{"R20", "R21", "R22", "R23", "R24", "R25"}},
		{"about the browser's own wall between networks, to which nothing is added here", []string{"F60", "F61"}},
		{"a page that registers a service worker sees its own requests; this program registers none", []string{"F33"}},
		{"about how a console shows results, which no page of contracts does", []string{"N18", "N19"}},
		{"the frame has no csp attribute, which one engine alone would read", []string{"N40"}},
		{"about processes outside a browser", []string{"P38", "P39", "D24", "D25", "D26", "D27"}},
	} {
		for _, id := range a.ids {
			all = append(all, Absent{id, a.reason})
		}
	}
	slices.SortFunc(all, func(a, b Absent) int { return order(a.ID) - order(b.ID) })
	return all
}

// order sorts ids as the catalogue does: by letter, then by number; D comes behind the others, since one engine does not end all that it starts. V comes last.
func order(id string) int {
	number := 0
	for _, digit := range id[1:] {
		number = number*10 + int(digit-'0')
	}
	for i, letter := range "NSBPFRWGDV" {
		if rune(id[0]) == letter {
			return i*1000 + number
		}
	}
	return -1
}
