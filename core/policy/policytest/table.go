package policytest

import (
	"context"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

//go:embed testdata/*.txt
var tables embed.FS

// Row is one row of a table: what is asked, and what comes of it. Either URL or Reason is empty.
type Row struct {
	Number      int
	Method, Raw string
	URL         string // what is sent
	Reason      policy.Reason
}

// Rows reads the tables of decisions.
func Rows(t testing.TB) (rows []Row) {
	for _, file := range []string{"testdata/urls.txt", "testdata/attacks.txt"} {
		text, err := tables.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				row, err := readRow(line)
				require.NoError(t, err, line)
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func readRow(line string) (row Row, err error) {
	number, rest, _ := strings.Cut(line, " ")
	method, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	quoted, err := strconv.QuotedPrefix(strings.TrimSpace(rest))
	if err != nil {
		return Row{}, err
	}
	row.Method = method
	if row.Number, err = strconv.Atoi(number); err == nil {
		row.Raw, err = strconv.Unquote(quoted)
	}
	if err != nil {
		return Row{}, err
	}
	verdict, what, _ := strings.Cut(strings.TrimSpace(strings.TrimSpace(rest)[len(quoted):]), " ")
	switch verdict {
	case "allow":
		row.URL, err = strconv.Unquote(what)
	case "deny":
		row.Reason = policy.Reason(what)
	default:
		err = fmt.Errorf("%q is no verdict", verdict)
	}
	return row, err
}

// ReadOnly grants reading anywhere, and writing nowhere.
type ReadOnly struct{}

// Granted implements policy.Grants.
func (ReadOnly) Granted(_ context.Context, want policy.Want) (bool, error) {
	return want.Class == policy.Read, nil
}

// Open makes the policy that the tables are about, and a tool that declares everything.
func Open(t testing.TB, parser policy.Parser) (*policy.Policy, policy.Asker) {
	p, err := policy.New(parser, policy.Host{Self: []string{"https://app.example.com", "https://proxy.example.com:8443"}}, limits.Default())
	require.NoError(t, err)
	needs, err := p.Needs([]tool.FetchNeed{{Origin: policy.AnyOrigin, Access: "write"}})
	require.NoError(t, err)
	return p, policy.Asker{Revision: canon.SumTool([]byte("a tool")), Needs: needs}
}

// Table checks every row with that parser.
func Table(t *testing.T, parser policy.Parser) {
	p, asker := Open(t, parser)
	numbers := map[int]bool{}
	for _, row := range Rows(t) {
		numbers[row.Number] = true
		permit, err := p.Decide(t.Context(), asker, policy.Request{Method: row.Method, URL: row.Raw}, ReadOnly{})
		if row.Reason == "" {
			require.NoError(t, err, "row %d: %q", row.Number, row.Raw)
			require.Equal(t, row.URL, permit.URL(), "row %d: %q", row.Number, row.Raw)
			CheckPermit(t, p, asker, permit)
			continue
		}
		var denial *policy.Denial
		require.ErrorAs(t, err, &denial, "row %d: %q is allowed as %s", row.Number, row.Raw, permit.URL())
		require.Equal(t, row.Reason, denial.Reason, "row %d: %q: %s", row.Number, row.Raw, denial.Message)
		require.Empty(t, permit.URL())
	}
	for number := 1; number <= 90; number++ {
		require.True(t, numbers[number], "row %d is missing", number)
	}
}
