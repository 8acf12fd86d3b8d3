package contracts

import "slices"

// groups lists the contracts letter by letter.
func groups() [][]Contract {
	return [][]Contract{network(), frameNetwork(), separation(), integrity(), words(), calls(), asks(), service(), served()}
}

// absent lists the rows of the threat catalogue's groups N, S, B, P and D that are no contracts in a browser today.
func absent() []Absent {
	var all []Absent
	for _, a := range []struct {
		reason string
		ids    []string
	}{
		{"Python in the browser is not there yet", []string{"N13", "N14", "N15", "N16", "N17", "S18", "B14", "B15"}},
		{"popups are not there yet", []string{"N22", "D17"}},
		{"mediated fetch is not there yet: every ask is denied", []string{"N37", "N38"}},
		{"prompts and grants are not there yet: every ask is denied", []string{"P22", "P24", "P43"}},
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

// order sorts ids as the catalogue does: by letter, then by number. V, which the catalogue does not have, comes last.
func order(id string) int {
	number := 0
	for _, digit := range id[1:] {
		number = number*10 + int(digit-'0')
	}
	for i, letter := range "NSBPDV" {
		if rune(id[0]) == letter {
			return i*1000 + number
		}
	}
	return -1
}
