//go:build !js

package policy_test

import (
	"testing"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
)

func parser(testing.TB) policy.Parser { return urls.Parser{} }
