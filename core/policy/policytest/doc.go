// Package policytest checks a policy.Parser: by the public suites of URLs and of names in A-labels, and by the decisions of the policy that
// is built on it. The suites are not part of the project: they are read from a folder that the caller opens, laid out as
//
//	url/urltestdata.json   web-platform-tests, url/resources
//	url/toascii.json       the same, domains to ASCII
//	url/IdnaTestV2.json    the same, the tests of UTS 46
package policytest
