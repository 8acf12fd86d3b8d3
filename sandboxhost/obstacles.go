package sandboxhost

import (
	"slices"
	"strings"
)

// Need is what a srcdoc sandbox takes from the policy of its page, which its frame inherits.
type Need string

// The needs, in the order in which a start meets them.
const (
	NeedText   Need = "text"   // a text may become a document, and an address of ours a worker: no Trusted Types
	NeedScript Need = "script" // the one inline script of the frame runs
	NeedWorker Need = "worker" // a worker starts from a blob
)

// Obstacle is one need that a policy does not meet: what it says, and what to add to it, as the end of a sentence.
type Obstacle struct {
	Need   Need
	Says   string
	Advice string
}

// Obstacles reads policies of a page, each as a violation event gives it, and tells what keeps a sandbox from starting under them.
// What cannot be judged from here (a hash of another kind, strict-dynamic for a worker) is taken for no obstacle.
func Obstacles(policies []string, scriptHash string) []Obstacle {
	var all []Obstacle
	for _, text := range policies {
		for _, o := range read(text).obstacles(scriptHash) {
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// Blocked makes one sentence of the obstacles in somebody's policy, the empty text of none.
func Blocked(whose string, obstacles []Obstacle) string {
	if len(obstacles) == 0 {
		return ""
	}
	parts := make([]string, len(obstacles))
	for i, o := range obstacles {
		parts[i] = o.Says + "; " + o.Advice
	}
	return whose + " policy blocks it: " + strings.Join(parts, "; and ")
}

// policy is one Content-Security-Policy: the sources of each directive. Of a directive that stands twice the first counts.
type policy map[string][]string

func read(text string) policy {
	p := policy{}
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		name := strings.ToLower(words[0])
		if _, twice := p[name]; !twice {
			p[name] = words[1:]
		}
	}
	return p
}

func (p policy) obstacles(scriptHash string) []Obstacle {
	var all []Obstacle
	for _, o := range []*Obstacle{p.text(), p.script(scriptHash), p.worker()} {
		if o != nil {
			all = append(all, *o)
		}
	}
	return all
}

// first gives the first of the directives that the policy has; none: the policy allows everything of that kind.
func (p policy) first(names ...string) (name string, sources []string, found bool) {
	for _, name := range names {
		if sources, found := p[name]; found {
			return name, sources, true
		}
	}
	return "", nil, false
}

func (p policy) text() *Obstacle {
	if _, sources, _ := p.first("require-trusted-types-for"); !holds(sources, "'script'") {
		return nil
	}
	return &Obstacle{NeedText, "require-trusted-types-for 'script' lets no text become a frame",
		"leave it out, or load with sandbox: { page: … }"}
}

func (p policy) script(hash string) *Obstacle {
	name, sources, found := p.first("script-src-elem", "script-src", "default-src")
	if !found || slices.Contains(sources, "'"+hash+"'") {
		return nil
	}
	named := slices.ContainsFunc(sources, func(s string) bool {
		return hasPrefix(s, "'nonce-", "'sha") || strings.EqualFold(s, "'strict-dynamic'")
	})
	if holds(sources, "'unsafe-inline'") && !named || slices.ContainsFunc(sources, func(s string) bool { return hasPrefix(s, "'sha384-", "'sha512-") }) {
		return nil
	}
	return lacking(NeedScript, name, "script-src", "'"+hash+"'")
}

func (p policy) worker() *Obstacle {
	name, sources, found := p.first("worker-src", "child-src", "script-src", "default-src")
	if !found || holds(sources, "blob:") || holds(sources, "'strict-dynamic'") {
		return nil
	}
	return lacking(NeedWorker, name, "worker-src", "blob:")
}

// lacking tells of a source that is missing. Where the directive that is meant is absent, another one stands in for it, and it is
// the first that should be added: to widen the other would allow more than is needed.
func lacking(need Need, name, meant, source string) *Obstacle {
	if name == meant || strings.HasPrefix(name, meant) {
		return &Obstacle{need, name + " lacks " + source, "add it to the page's " + name}
	}
	return &Obstacle{need, "there is no " + meant + ", and " + name + " lacks " + source, "add " + meant + " with " + source + " to the page's policy"}
}

func holds(sources []string, source string) bool {
	return slices.ContainsFunc(sources, func(s string) bool { return strings.EqualFold(s, source) })
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(strings.ToLower(s), p) })
}
