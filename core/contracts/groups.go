package contracts

// groups lists the contracts letter by letter.
func groups() [][]Contract {
	return [][]Contract{network()}
}

func absent() []Absent { return []Absent{} }
