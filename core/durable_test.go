package core_test

import "testing"

// Where it is proved that what is stored is stored whole or not at all. The stores are beyond this room; a renamed test is missed here.
func TestStoringIsProvedWhereTheStoresAre(t *testing.T) {
	inNative := func(title string) proof { return proof{"native/store", title} }
	keepAll(t, []promise{
		{id: "contract", title: "every store keeps the same contracts, hashing before it writes", elsewhere: []proof{
			{"core/registry", "TestMemoryKeepsTheStoreContract"}, {"core/task", "TestMemoryKeepsTheStoreContract"},
			{"core/shelf", "TestMemoryKeepsTheStoreContract"},
			inNative("TestSQLiteKeepsTheStoreContracts"), inPage("IndexedDB keeps the contracts that every store keeps")}},
		{id: "large", title: "the largest definition is stored whole, and a larger one not at all", elsewhere: []proof{
			inPage("the largest definition is stored whole, also when two tabs install it at once"), inPage("a definition with ${title} is refused by name and nothing is stored"),
			{"core/tool", "TestADefinitionIsBoundedAtTheEdgeAndOnePast"}}},
		{id: "quota", title: "a full quota in the middle of a write is an error that changes nothing", elsewhere: []proof{
			inPage("a full quota is a typed error that changes nothing"), inPage("a definition for which there is no room is refused whole, and fits when there is room again"),
			inPage("a shelf for which there is no room says so and keeps what it has"),
			inNative("TestAFullDiskOrAReadOnlyFileIsATypedErrorAndLosesNothing")}},
		{id: "crash", title: "a tab or process that ends in the middle of a write leaves all of it or nothing", elsewhere: []proof{
			inPage("a tab closed in the middle of a bulk write leaves all of it or nothing"), inNative("TestAProcessKilledInMidWriteLeavesOldOrNewAndNeverAMixture")}},
		{id: "two", title: "two tabs or processes may install the same and different revisions at once", elsewhere: []proof{
			inPage("two tabs may install and run at once, and both see all of it"), inNative("TestTwoProcessesMayWriteAtOnceAndLoseNothing")}},
		{id: "upgrade", title: "an upgrade that another tab blocks says what to do, and one that fails changes nothing", elsewhere: []proof{
			inPage("an upgrade that another tab blocks says what to do"), inPage("another tab may upgrade: this one lets go and says so, and an old page says that it is old"),
			inPage("a database of version 1 is upgraded with all that is in it"), inPage("a database of version 2 is upgraded with its settings and blocks, and has an empty shelf"),
			inNative("TestAFileOfVersionOneIsUpgradedAndKeepsAllThatIsInIt"), inNative("TestAFileOfVersionTwoIsUpgradedAndKeepsAllThatIsInIt"),
			inNative("TestAnUpgradeThatFailsChangesNothing")}},
		{id: "none", title: "without storage the engine runs from memory and says so", elsewhere: []proof{
			inPage("a page without IndexedDB works from memory and says so"), {"wasm/browser/store", "TestWithoutIndexedDBOpeningSaysSo"}}},
		{id: "private", title: "a private window stores for as long as it is open", elsewhere: []proof{inPage("a private window keeps its data until it is closed")}},
		{id: "cleared", title: "data that is cleared while the page runs is told, and a reload works", elsewhere: []proof{
			inPage("site data cleared while a page runs is told as such, and the page works again after a reload"),
			inPage("a database deleted by another tab is told as such, and the page works again after a reload"),
			{"wasm/browser/store", "TestAShelfWhoseDatabaseIsDeletedOrClosedSaysSo"}}},
	})
}
