package schema

// marks is what has been evaluated of an object or an array, for unevaluatedProperties and unevaluatedItems.
type marks struct {
	allNames bool
	names    map[string]bool
	allItems bool
	prefix   int // items before it
	items    map[int]bool
	unsure   bool // more is marked than has surely been evaluated
}

func (m *marks) name(name string) {
	if m == nil {
		return
	}
	if m.names == nil {
		m.names = map[string]bool{}
	}
	m.names[name] = true
}

func (m *marks) item(i int) {
	if m == nil {
		return
	}
	if m.items == nil {
		m.items = map[int]bool{}
	}
	m.items[i] = true
}

func (m *marks) doubt() {
	if m != nil {
		m.unsure = true
	}
}

func (m *marks) add(from *marks, result verdict) {
	m.allNames = m.allNames || from.allNames
	m.allItems = m.allItems || from.allItems
	m.prefix = max(m.prefix, from.prefix)
	m.unsure = m.unsure || from.unsure || result == unsure
	for name := range from.names {
		m.name(name)
	}
	for i := range from.items {
		m.item(i)
	}
}
